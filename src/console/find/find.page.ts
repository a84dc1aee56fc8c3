import { html, redirect } from '../../kit/index.js';
import type { FindingDto, FoundDto } from '../../platform/id-search/id-search.dto.js';
import { modeBadge } from '../components/badge.js';
import { emptyState } from '../components/blocks.js';
import { table } from '../components/table.js';
import { foundKeyPath } from '../components/key-link.js';
import { FIND_PATH } from '../frame/own-pages.js';
import { definePage } from '../frame/page-definition.js';
import type { Visit } from '../frame/visit.js';

/** The name and the page of each kind. */
const KINDS: Readonly<Record<string, { label: string; path: string }>> = {
  request: { label: 'Request', path: '/logs' },
  event: { label: 'Event', path: '/events' },
  delivery: { label: 'Delivery', path: '/deliveries' },
  api_key: { label: 'API key', path: '/keys' },
  webhook_endpoint: { label: 'Webhook endpoint', path: '/webhooks' },
};

export const findPage = definePage({
  path: FIND_PATH,
  title: 'Find',
  permission: null,
  operations: ['find_by_id'],
  async show(visit) {
    const q = visit.query.get('q')?.trim().slice(0, 100) ?? '';
    const results = q === '' ? [] : (await visit.get<FindingDto>('/developer/find', { q })).results;
    if (results.length === 1) return redirect(addressOf(visit, results[0]));
    if (results.length === 0) {
      const text = 'It takes whole ids of requests, events, deliveries, keys and endpoints, and the last four characters of a key.';
      return { title: 'Nothing was found', body: emptyState({ heading: q === '' ? 'No id was given' : `Nothing has the id ${q}`, text }) };
    }
    return { title: `${results.length} things have the id ${q}`, body: found(visit, results) };
  },
});

function found(visit: Visit, rows: readonly FoundDto[]) {
  return table({
    caption: 'What was found',
    rows,
    columns: [
      { label: 'What', cell: ({ kind }) => KINDS[kind].label },
      { label: 'Name', cell: (row) => html`<a href="${addressOf(visit, row)}">${row.title}</a>` },
      { label: 'State', cell: ({ detail }) => detail },
      { label: 'Data', cell: ({ mode }) => mode !== null && modeBadge(mode) },
    ],
  });
}

/** Pages with a mode show the resource in its own mode. */
function addressOf(visit: Visit, { kind, id, mode }: FoundDto): string {
  const path = kind === 'api_key' ? foundKeyPath(visit, id) : `${KINDS[kind].path}/${id}`;
  return visit.link(path, mode === 'test' && visit.hasMode(path) ? { mode } : {});
}
