import { html } from '../../kit/index.js';
import { referenceLink } from '../components/reference.js';
import { definePage } from '../frame/page-definition.js';

const MEMBERS = '/openapi.org.json';

/** Manifests write it in small letters. */
function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}

export const setupPage = definePage({
  path: '/setup',
  title: 'More by API',
  permission: null,
  operations: [],
  nav: 'Automation',
  icon: 'braces',
  docs: '/docs',
  show: (visit) => ({
    title: 'More by API',
    lead: 'These settings have no page in the console yet. Set them up with the API; each name leads to its operations.',
    body: html`${visit.site.modules.map(
      ({ title, apiOnly }) =>
        apiOnly !== undefined &&
        html`<h2>${title}</h2><dl class="even">${apiOnly.map(
          ({ names, text }) =>
            html`<dt>${names.map(([word, operation], index) => [
              index > 0 && ', ',
              referenceLink(visit, operation, word),
            ])}</dt><dd>${sentence(text)}</dd>`,
        )}</dl>`,
    )}
<h2>Reference</h2><ul>
<li><a href="/docs">Routes for API keys</a>, with examples to try</li>
<li><a href="${MEMBERS}">Routes for signed-in members</a>, as OpenAPI for generated clients</li>
<li><a href="/docs/webhooks">Events and webhooks</a></li><li><a href="/docs/errors">Error codes</a></li></ul>`,
  }),
});
