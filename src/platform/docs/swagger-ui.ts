import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, extname, join } from 'node:path';
import type { PublishedFiles } from './published-files.js';

export interface DocumentLink {
  url: string;
  name: string;
}

const ASSETS = [
  'swagger-ui.css',
  'swagger-ui-bundle.js',
  'swagger-ui-bundle.js.LICENSE.txt',
  'swagger-ui-standalone-preset.js',
  'swagger-ui-standalone-preset.js.LICENSE.txt',
  'favicon-32x32.png',
  'favicon-16x16.png',
];
const TYPES: Record<string, string> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.png': 'image/png',
  '.txt': 'text/plain; charset=utf-8',
};

/** Serves Swagger UI for several OpenAPI documents. Its files are read when they are requested. */
export function installSwaggerUi(files: PublishedFiles, path: string, title: string, documents: readonly DocumentLink[]): void {
  const folder = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));
  for (const name of ASSETS) files.add(`${path}/${name}`, { type: TYPES[extname(name)], content: () => readFile(join(folder, name)) });
  files.add(`${path}/swagger-ui-init.js`, { type: TYPES['.js'], content: () => initScript(documents) });
  // relative URLs also work behind a proxy that adds a path prefix
  const last = path.slice(path.lastIndexOf('/') + 1);
  for (const [url, base] of [
    [path, `./${last}/`],
    [`${path}/`, './'],
    [`${path}/index.html`, './'],
  ]) {
    files.add(url, { type: 'text/html; charset=utf-8', content: () => page(title, base), policy: POLICY });
  }
}

/** Swagger UI sets style attributes and shows images that are data. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** Swagger UI's own colors have a contrast of 2 to 4. Its dark mode follows the class of the root, which it sets itself. */
const STYLE = `body { margin: 0; background: #fafafa; }
.dark-mode body { background: #1c2022; }
:root:not(.dark-mode) .swagger-ui {
  .info :is(a, .url), .link, .opblock-external-docs a, .markdown a { color: #2456a6; }
  .btn.authorize, .btn.authorize span { color: #14613f; }
  .btn.authorize svg { fill: #14613f; }
  .parameter__in, .parameter__deprecated, .prop-format, .response-control-media-type__accept-message { color: #55585e; }
}
.dark-mode .swagger-ui .header-col { color: #e4e6e6; }
.swagger-ui {
  .info .title small { background: #565d6b; }
  .info .title small.version-stamp { background: #3c6300; }
  .opblock.opblock-get .opblock-summary-method { background: #1c62b0; }
  .opblock.opblock-post .opblock-summary-method { background: #1a7048; }
  .opblock.opblock-put .opblock-summary-method { background: #925307; }
  .opblock.opblock-patch .opblock-summary-method { background: #0e6c5b; }
  .opblock.opblock-delete .opblock-summary-method { background: #b51f1f; }
}`;

function page(title: string, base: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<link rel="stylesheet" href="${base}swagger-ui.css">
<link rel="icon" type="image/png" href="${base}favicon-32x32.png" sizes="32x32">
<link rel="icon" type="image/png" href="${base}favicon-16x16.png" sizes="16x16">
<style>${STYLE}</style>
</head>
<body>
<div id="swagger-ui"></div>
<script src="${base}swagger-ui-bundle.js"></script>
<script src="${base}swagger-ui-standalone-preset.js"></script>
<script src="${base}swagger-ui-init.js"></script>
</body>
</html>
`;
}

/**
 * Swagger UI reads JSON as YAML, and to resolve one reference it makes elements of a whole document of OpenAPI 3.1, which takes seconds of
 * CPU. The plugin reads JSON as JSON, and gives the resolver only the part of the document that it is asked for and what that refers to.
 */
function initScript(urls: readonly DocumentLink[]): string {
  return `const partOf = (document, [section, ...names]) => {
  const part = { [section]: {} };
  let [from, to] = [document[section] ?? {}, part[section]];
  names.forEach((name, index) => {
    from = from[name] ?? {};
    to = to[name] = index === names.length - 1 ? from : {};
  });
  const components = {};
  const add = (value) => {
    for (const [, kind, name] of JSON.stringify(value).matchAll(/"#\\/components\\/(\\w+)\\/([^"]+)"/g)) {
      if (components[kind]?.[name]) continue;
      (components[kind] ??= {})[name] = document.components[kind][name];
      add(components[kind][name]);
    }
  };
  add(part);
  return { ...document, paths: {}, webhooks: {}, ...part, components: { ...components, ...part.components } };
};
const parts = ({ fn: { resolveSubtree } }) => ({
  // the objects of a module are on the pages of the reference
  components: { Models: () => null },
  fn: { resolveSubtree: (document, path, options) => resolveSubtree(partOf(document, path), path, options) },
  statePlugins: {
    spec: { actions: { parseToJson: (text) => ({ specActions }) => specActions.updateJsonSpec(JSON.parse(text)) } },
  },
});
// its selects have no names, its headings leave levels out, and its parts are outside of landmarks
const nameAll = () => {
  for (const select of document.querySelectorAll('select:not([aria-label])')) {
    const row = select.closest('tr');
    const name = row?.dataset.paramName ?? row?.dataset.code;
    const kind = select.className.includes('examples') ? 'Example' : select.id === 'servers' ? 'Server' : 'Value';
    select.setAttribute('aria-label', name === undefined ? kind : kind + ' of ' + name);
  }
  for (const [level, which] of [['2', 'h3.opblock-tag'], ['3', '.opblock-body h4'], ['4', '.opblock-body h5']])
    for (const heading of document.querySelectorAll(which + ':not([aria-level])')) {
      heading.setAttribute('role', 'heading');
      heading.setAttribute('aria-level', level);
    }
  for (const code of document.querySelectorAll('.microlight:not([tabindex])')) code.tabIndex = 0;
  for (const [name, which] of [['About', '.information-container'], ['Servers', '.scheme-container'], ['Filter', ':has(> .filter)']])
    for (const part of document.querySelectorAll('#swagger-ui ' + which + ':not([aria-label])')) {
      part.setAttribute('role', 'region');
      part.setAttribute('aria-label', name);
    }
};
window.onload = () => {
  new MutationObserver(nameAll).observe(document.getElementById('swagger-ui'), { childList: true, subtree: true });
  window.ui = SwaggerUIBundle({
    urls: ${JSON.stringify(urls)},
    dom_id: '#swagger-ui',
    deepLinking: true,
    docExpansion: 'none',
    filter: true,
    presets: [SwaggerUIBundle.presets.apis, SwaggerUIStandalonePreset],
    plugins: [SwaggerUIBundle.plugins.DownloadUrl, parts],
    layout: 'StandaloneLayout',
  });
};
`;
}
