package io.millrace.tools;

/** What all pages of the site have in common. */
final class SiteTemplate {

  private static final String PAGE =
      """
      <!doctype html>
      <html lang="en">
      <head>
      <meta charset="utf-8">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <title>{title} - Millrace</title>
      <style>
      :root { color-scheme: light dark; --line: #d1d9e0; --code: #f6f8fa; --link: #0969da }
      @media (prefers-color-scheme: dark) { :root { --line: #3d444d; --code: #151b23; --link: #4493f8 } }
      body { font: 16px/1.5 system-ui, sans-serif; margin: 0; display: flex }
      nav { flex: 0 0 17em; padding: 1.5em; border-right: 1px solid var(--line); font-size: 14px }
      nav p { margin: 0 } nav a { display: block; padding: .2em 0 }
      main { flex: 1 1 auto; min-width: 0; max-width: 60em; padding: 1.5em 2.5em }
      a { color: var(--link); text-decoration: none } a:hover { text-decoration: underline }
      code, pre { font-family: ui-monospace, monospace; font-size: 14px; background: var(--code) }
      code { padding: .1em .3em; border-radius: 4px }
      pre { padding: 1em; overflow-x: auto; border-radius: 6px } pre code { padding: 0 }
      table { border-collapse: collapse; display: block; overflow-x: auto }
      th, td { border: 1px solid var(--line); padding: .3em .7em; vertical-align: top }
      img { max-width: 100% }
      @media (max-width: 50em) { body { display: block } nav { border: 0 } }
      </style>
      </head>
      <body>
      <nav>
      {navigation}</nav>
      <main>
      {content}</main>
      </body>
      </html>
      """;

  private SiteTemplate() {}

  static String page(String title, String navigation, String content) {
    return PAGE.replace("{title}", title)
        .replace("{navigation}", navigation)
        .replace("{content}", content);
  }
}
