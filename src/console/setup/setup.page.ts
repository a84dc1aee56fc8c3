import { html } from '../../kit/index.js';
import { definePage } from '../frame/page-definition.js';

const MEMBERS = '/openapi.org.json';

/** What has routes and no pages, by module, with the reference's group of routes. */
const SUBJECTS: readonly { module: string; things: readonly { name: string; text: string }[] }[] = [
  {
    module: 'Documents',
    things: [
      { name: 'Document types', text: 'fields, lifecycle, approval, numbering and layout of each kind of document' },
      { name: 'Forms and bridges', text: 'public forms whose submissions become documents, and what other modules hand over' },
      { name: 'Triggers', text: 'which events generate documents; the console shows their runs' },
      { name: 'Reports and rule packs', text: 'saved reports, and the rules that check documents' },
      { name: 'Documents and approvals', text: 'the work itself: create, submit, approve, send, share' },
    ],
  },
  {
    module: 'CRM',
    things: [
      { name: 'Pipelines, sources, fields', text: 'stages of deals, where leads come from, and fields of your own' },
      { name: 'Assignment rules', text: 'who gets which lead' },
      { name: 'Leads', text: 'list, import, score, and their consent log' },
    ],
  },
  {
    module: 'Schedule',
    things: [
      { name: 'Calendars, templates, resources', text: 'who is available when, rooms and equipment' },
      { name: 'Booking pages', text: 'the public pages on which guests book a time' },
    ],
  },
];

export const setupPage = definePage({
  path: '/setup',
  title: 'API only',
  permission: null,
  operations: [],
  nav: 'Automation',
  show: () => ({
    title: 'Set up with the API',
    lead: 'These have no pages here yet. Your session and API keys reach all of them; the reference lists the routes.',
    body: html`${SUBJECTS.map(
      ({ module, things }) => html`<h2>${module}</h2><dl>${things.map(({ name, text }) => html`<dt>${name}</dt><dd>${text}</dd>`)}</dl>`,
    )}
<h2>Reference</h2><ul>
<li><a href="/docs">Routes for API keys</a>, with examples to try</li>
<li><a href="${MEMBERS}">Routes for signed-in members</a>, as OpenAPI for generated clients</li>
<li><a href="/docs/webhooks">Events and webhooks</a></li><li><a href="/docs/errors">Error codes</a></li></ul>`,
  }),
});
