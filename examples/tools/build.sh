# Sourced by ./advise, ./bench, ./demo, ./perf, ./sequences, ./simulate and ./torture, which build what they run.

# build_quietly NAME MODULE EXIT_CODE MAVEN_OPTION...
# Builds a module and those it needs. Where it cannot, it says why in the name of the script, and ends it.
build_quietly() {
  local name=$1 module=$2 code=$3 root tool log
  shift 3
  root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)

  for tool in java mvn; do
    command -v "$tool" > /dev/null || { echo "$name: '$tool' is not on the PATH; JDK 17 or later and Maven 3.8.7 or later are needed" >&2; exit "$code"; }
  done

  log=$(mktemp)
  # shellcheck disable=SC2064 # "log" is local: it has to be expanded here
  trap "rm -f '$log'" EXIT
  echo "Building ..." >&2
  if ! mvn -q -B -f "$root/pom.xml" -pl "$module" -am package "$@" -Dspotless.check.skip \
      -Dmaven.javadoc.skip -Dmaven.source.skip > "$log" 2>&1; then
    cat "$log" >&2
    echo "$name: the build failed" >&2
    exit "$code"
  fi
  rm -f "$log"
  trap - EXIT
}
