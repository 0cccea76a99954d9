# Sourced by the scripts that run programs of the examples, which build what they run.

# The Maven options of a quick build, without the classes of the tests.
quick=(-Dmaven.test.skip -Dmaven.javadoc.skip -Dmaven.source.skip)

# build_quietly NAME MODULES MAVEN_OPTION...
# Builds modules and those they need. Where it cannot, it says why in the name of the script, and ends it with status 7.
build_quietly() {
  local name=$1 modules=$2 root tool log
  shift 2
  root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)

  for tool in java mvn; do
    command -v "$tool" > /dev/null || { echo "$name: '$tool' is not on the PATH; JDK 17 or later and Maven 3.8.7 or later are needed" >&2; exit 7; }
  done

  log=$(mktemp)
  # shellcheck disable=SC2064 # "log" is local: it has to be expanded here
  trap "rm -f '$log'" EXIT
  echo "$name: building $modules with Maven; about a minute the first time, and as long as its downloads take" >&2
  if ! mvn -q -B -f "$root/pom.xml" -pl "$modules" -am package "$@" -Dspotless.check.skip > "$log" 2>&1; then
    cat "$log" >&2
    echo "$name: the build failed" >&2
    exit 7
  fi
  rm -f "$log"
  trap - EXIT
}
