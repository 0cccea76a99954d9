package io.millrace.spring.boot;

import io.millrace.InvalidOptionException;
import io.millrace.internal.LogSafe;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationPropertiesBindHandlerAdvisor;
import org.springframework.boot.context.properties.bind.AbstractBindHandler;
import org.springframework.boot.context.properties.bind.BindContext;
import org.springframework.boot.context.properties.bind.BindHandler;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.bind.PropertySourcesPlaceholdersResolver;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName.Form;
import org.springframework.boot.context.properties.source.ConfigurationPropertySource;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.core.env.Environment;
import org.springframework.core.env.SystemEnvironmentPropertySource;

/**
 * The names of sequences, templates and gapless numbers. Environment variables override properties
 * of a name, but never make one: {@code ORDERID} may be any of order-id, order_id and orderId, and
 * platforms set variables of their own. So entries that only the environment names are not bound.
 */
final class ConfiguredNames implements ConfigurationPropertiesBindHandlerAdvisor {

  private static final ConfigurationPropertyName ROOT =
      ConfigurationPropertyName.of(MillraceProperties.PREFIX);

  /** The maps below {@link #ROOT}. */
  static final String SEQUENCES = "sequences";

  static final String TEMPLATES = "templates";
  static final String GAPLESS = "gapless";
  private static final List<String> MAPS = List.of(SEQUENCES, TEMPLATES, GAPLESS);

  private static final Pattern PLAIN = Pattern.compile("[A-Za-z0-9_-]+");

  private final Environment environment;
  private final Map<String, Set<String>> known = new ConcurrentHashMap<>();

  ConfiguredNames(Environment environment) {
    this.environment = environment;
  }

  /** The names in a map below {@code millrace}, in the order of the properties. */
  Set<String> in(String map) {
    return known.computeIfAbsent(map, each -> of(environment, each));
  }

  private static Set<String> of(Environment environment, String map) {
    List<ConfigurationPropertySource> sources = new ArrayList<>();
    for (ConfigurationPropertySource each : ConfigurationPropertySources.get(environment)) {
      if (!(each.getUnderlyingSource() instanceof SystemEnvironmentPropertySource)) {
        sources.add(each);
      }
    }
    return new Binder(sources, new PropertySourcesPlaceholdersResolver(environment))
        .bind(ROOT.append(map), Bindable.mapOf(String.class, Object.class))
        .orElseGet(Map::of)
        .keySet();
  }

  /** Whether the properties set a store, or name sequences, templates or gapless numbers. */
  static boolean areConfigured(Environment environment) {
    return environment.containsProperty(MillraceProperties.PREFIX + ".store")
        || MAPS.stream().anyMatch(map -> !of(environment, map).isEmpty());
  }

  /** Whether any source sets a property below {@code millrace}. */
  boolean isSet(String property) {
    return Binder.get(environment)
        .bind(
            ConfigurationPropertyName.adapt(MillraceProperties.PREFIX + "." + property, '.'),
            Bindable.of(String.class))
        .isBound();
  }

  /**
   * Makes an object from a property or those below a place. An exception names the one to change.
   */
  <T> T naming(String place, Supplier<T> maker) {
    try {
      return maker.get();
    } catch (IllegalArgumentException refused) {
      throw StartFailedException.ofProperty(property(place, refused), refused.getMessage());
    }
  }

  /** The property of a rejected option, at the place or in the defaults; otherwise the place. */
  private String property(String place, IllegalArgumentException refused) {
    return refused instanceof InvalidOptionException option
        ? Stream.of(property(option.option()), property(option.other()))
            .flatMap(each -> Stream.of(place + "." + each, "defaults." + each))
            .filter(this::isSet)
            .findFirst()
            .orElse(place)
        : place;
  }

  /** The property of an option: {@code low-watermark} of {@code lowWatermark}. */
  private static String property(@Nullable String option) {
    return "createMissing".equals(option)
        ? "start-value"
        : String.valueOf(option)
            .replaceAll("([A-Z])", "-$1")
            .toLowerCase(Locale.ROOT)
            .replace(' ', '.');
  }

  /** The prefix of the properties of a name; brackets keep the name as it is. */
  static String place(String map, String name) {
    return map + "." + (PLAIN.matcher(name).matches() ? name : "[" + name + "]");
  }

  /** The full name of a property on one line, however its names are spelled. */
  static String shown(String property) {
    StringBuilder shown = new StringBuilder(MillraceProperties.PREFIX).append('.');
    property.codePoints().forEach(character -> LogSafe.append(shown, character));
    return shown.toString();
  }

  @Override
  public BindHandler apply(BindHandler handler) {
    return new AbstractBindHandler(handler) {
      @Override
      public <T> @Nullable Bindable<T> onStart(
          ConfigurationPropertyName name, Bindable<T> target, BindContext context) {
        return isUnknown(name) ? null : super.onStart(name, target, context);
      }
    };
  }

  private boolean isUnknown(ConfigurationPropertyName name) {
    return MAPS.stream()
        .filter(map -> ROOT.append(map).isParentOf(name))
        .anyMatch(map -> !in(map).contains(name.getLastElement(Form.ORIGINAL)));
  }
}
