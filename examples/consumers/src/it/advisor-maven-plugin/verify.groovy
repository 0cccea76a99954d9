// The failure of the first build, in one line; the report of the second.
def log = new File(basedir, 'build.log').text
assert log.contains('severity warning or above: 1, the first at src/main/resources/db/schema.sql:5')
assert !log.contains('at io.millrace')
def report = new File(basedir, 'target/advisor.sarif').text
assert report.contains('"executionSuccessful" : true')
assert report =~ /"results" : \[\s*\]/ // the finding is ignored
return true
