// The web service of docs/gapless.md, copied from the page as a reader copies it.
def page = new File(basedir, '../../../../../docs/gapless.md').text
def section = page.substring(
    page.indexOf('\n## Invoices for each tenant, in Spring Boot'), page.indexOf('\n## In a Spring transaction'))
def shown = { language -> (section =~ /(?s)```${language}\n(.*?)```/).collect { it[1] } }
def write = { path, text ->
  def file = new File(basedir, path)
  file.parentFile.mkdirs()
  file.text = text
}

write 'pom.xml', '<project xmlns="http://maven.apache.org/POM/4.0.0">\n<modelVersion>4.0.0</modelVersion>\n' +
    shown('xml')[0] + '</project>\n'
write 'src/main/resources/application.yaml', shown('yaml')[0]
write 'src/main/resources/schema.sql', shown('sql')[0]
def (program, test) = shown('java')
write 'src/main/java/invoices/Invoicing.java', program
write 'src/test/java/invoices/InvoicingTest.java', test
true
