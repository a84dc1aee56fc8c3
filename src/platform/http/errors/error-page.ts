import { randomBytes } from 'node:crypto';
import { escapeHtml, type DomainError } from '../../../kit/index.js';

const HEADINGS: Readonly<Record<number, string>> = {
  404: 'There is nothing here',
  410: 'This link no longer works',
  429: 'Too many requests',
};

export interface ErrorPage {
  html: string;
  headers: Record<string, string>;
}

/** The HTML page of an error, for a browser. */
export function errorPage(error: DomainError, requestId: string): ErrorPage {
  const { status } = error.spec;
  const heading = HEADINGS[status] ?? (status >= 500 ? 'Something went wrong' : 'That did not work');
  const nonce = randomBytes(16).toString('base64');
  const html = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${heading}</title>
<style nonce="${nonce}">:root{color-scheme:light dark}body{font:1rem/1.5 system-ui,sans-serif;margin:12vh auto 0;
max-width:34rem;padding:0 1.25rem;overflow-wrap:anywhere}h1{font-size:1.5rem}small{opacity:.8}</style></head>
<body><main><h1>${heading}</h1><p>${escapeHtml(error.message)}</p>
<p><small>Reference: ${escapeHtml(requestId)}</small></p></main></body></html>`;
  return {
    html,
    headers: {
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Security-Policy':
        `default-src 'none'; style-src 'nonce-${nonce}'; ` + `base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
      'X-Content-Type-Options': 'nosniff',
      // the URL of the page may contain a token
      'Cache-Control': 'no-store',
      'Referrer-Policy': 'no-referrer',
      'X-Robots-Tag': 'noindex',
    },
  };
}
