import {
  type ApiKeyDto,
  type ApiKeyWithSecretDto,
  codeBlock,
  definePage,
  definitions,
  keyBadge,
  modeBadge,
  requireTyped,
  timeOf,
  typedConfirmation,
  type Visit,
} from '../../../console/index.js';
import { html, redirect, type Html } from '../../../kit/index.js';
import { leadSecretView } from './lead-key-new.page.js';
import { curlOf, FORM_SNIPPET, handlerSnippet, LEAD_KEYS, LEAD_REQUESTS } from './lead-keys.js';

export const leadKeyPage = definePage({
  path: `${LEAD_KEYS}/keys/:id`,
  title: 'Lead key',
  permission: 'org.developer.leadkeys.view',
  operations: ['get_api_key'],
  notices: { revoked: 'The key was revoked: its next request is refused.' },
  async show(visit) {
    const key = await visit.get<ApiKeyDto>(pathOf(visit));
    const { name, mode, status } = key;
    const requests = visit.can('org.developer.leadkeys.logs.view');
    const address = visit.link(LEAD_REQUESTS, { api_key_id: key.id, mode: mode === 'test' ? 'test' : null });
    return {
      title: name,
      above: [{ path: mode === 'test' ? `${LEAD_KEYS}?mode=test` : LEAD_KEYS, label: 'Lead webhook' }],
      mode,
      tools: html`${requests && html`<a class="button quiet" href="${address}">Its requests</a>`}${
        visit.can('org.developer.apikeys.manage') &&
        status !== 'revoked' &&
        html`<a class="button quiet" href="${visit.link(`/keys/${key.id}`, { tab: 'settings' })}">Settings</a>`
      }`,
      body: html`${await facts(visit, key)}${status !== 'revoked' && useOf(visit)}${status !== 'revoked' && manage(visit, key)}`,
    };
  },
  actions: {
    roll: {
      permission: 'org.developer.leadkeys.create',
      operations: ['roll_api_key'],
      refusal: 'The key was not rolled',
      async run(visit, values) {
        const body = { overlap_hours: values.number('overlap_hours') };
        return leadSecretView(visit, 'Key rolled', await visit.post<ApiKeyWithSecretDto>(`${pathOf(visit)}/roll`, body));
      },
    },
    revoke: {
      permission: 'org.developer.leadkeys.delete',
      operations: ['revoke_api_key'],
      refusal: 'The key was not revoked',
      async run(visit, values) {
        const { name } = await visit.get<ApiKeyDto>(pathOf(visit));
        requireTyped(values, name);
        await visit.post(`${pathOf(visit)}/revoke`);
        return redirect(visit.here({ done: 'revoked' }));
      },
    },
  },
});

function pathOf(visit: Visit): string {
  return `/developer/api-keys/${visit.param('id')}`;
}

async function facts(visit: Visit, key: ApiKeyDto): Promise<Html> {
  const { project_id, allowed_ips, rate_limit_per_minute, expires_at, last_used_at, created_at, revoked_at } = key;
  const project = project_id === null ? null : await visit.find<{ name: string }>(`/projects/${project_id}`);
  return definitions([
    ['Status', keyBadge(key.status)],
    ['Data', modeBadge(key.mode)],
    ['Secret', html`<code>${key.prefix}...${key.last_four}</code>`],
    ['Project', project_id === null ? 'What each request says, or the default project' : (project?.name ?? project_id)],
    ['Addresses', allowed_ips.length > 0 ? allowed_ips.join(', ') : 'Any'],
    ['Per minute', rate_limit_per_minute],
    ['Last used', timeOf(last_used_at)],
    ['Created', timeOf(created_at)],
    ['Expires', timeOf(expires_at)],
    ['Revoked', revoked_at !== null && timeOf(revoked_at)],
  ]);
}

function useOf(visit: Visit): Html {
  return html`<h2>Use it</h2><p>Paste the form into your website. Its server sends on what visitors enter, with the key,
which they never see.</p>
${codeBlock(FORM_SNIPPET, { id: 'form-snippet', label: 'Form' })}
${codeBlock(handlerSnippet(visit), { id: 'handler', label: 'What receives the form' })}
<details><summary>Try it with curl</summary>
${codeBlock(curlOf(visit), { id: 'curl', label: 'Example request' })}
<p class="hint">Put the secret of the key into <code>LEAD_KEY</code>.</p></details>`;
}

function manage(visit: Visit, { name }: ApiKeyDto): Html {
  const roll = visit.may('roll') && visit.form('roll');
  const overlap = (form: NonNullable<ReturnType<Visit['form']>>) =>
    form.select({
      name: 'overlap_hours',
      label: 'The present secret works for another',
      value: '24',
      options: [
        { value: '0', label: 'Not at all: it ends now' },
        { value: '1', label: '1 hour' },
        { value: '24', label: '24 hours' },
      ],
    });
  return html`${
    roll &&
    html`<section id="roll"><h2>Roll</h2><p class="soft">A new secret for the same key, shown once.</p>${roll.render({
      body: overlap(roll),
      submit: { label: 'Roll the key', tone: 'quiet' },
      className: 'narrow',
    })}</section>`
  }${
    visit.may('revoke') &&
    html`<section><h2>Revoke</h2>${typedConfirmation(visit, 'revoke', {
      name,
      explanation: 'Forms that use it stop working immediately and permanently. Its requests stay in the log.',
      submit: 'Revoke the key',
    })}</section>`
  }`;
}
