import { escapeHtml } from '../../kit/index.js';
import { policyHash } from './published-files.js';

const STYLE = `body{font:16px/1.5 system-ui,sans-serif;margin:2rem auto;max-width:70rem;padding:0 1rem;
color:#1c1c1c}table{border-collapse:collapse;width:100%}
th,td{text-align:left;vertical-align:top;padding:.5rem .75rem;border-bottom:1px solid #d4d4d4}tr:target{background:#fff3c4}
td,th,p,li{overflow-wrap:anywhere}tr>:first-child{overflow-wrap:break-word}
@media(max-width:40rem){th,td{display:block;border:0;padding:.125rem 0}
thead{display:none}tr{display:block;border-bottom:1px solid #d4d4d4;padding:.5rem 0}}
pre{background:#f5f5f5;padding:1rem;overflow-x:auto;font:14px/1.5 ui-monospace,monospace}`;

/** The Content-Security-Policy of a documentation page, which loads nothing. */
export const PAGE_POLICY =
  `default-src 'none'; style-src ${policyHash(STYLE)}; ` + `base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;

/** The HTML of a documentation page. */
export function page(title: string, content: string): string {
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)} - Work suite API</title>
<style>${STYLE}</style></head>
<body><main><h1>${escapeHtml(title)}</h1>
${content}
</main></body></html>`;
}
