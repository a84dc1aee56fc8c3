import {
  type ApiKeyWithSecretDto,
  codeBlock,
  definePage,
  restrictionFields,
  restrictionsOf,
  secretView,
  type View,
  type Visit,
} from '../../../console/index.js';
import { html } from '../../../kit/index.js';
import { curlOf, LEAD_KEYS } from './lead-keys.js';

const ABOVE = [{ path: LEAD_KEYS, label: 'Lead webhook' }];
const SUBMIT = 'lead_webhook:lead:write';
const READ_PROJECTS = 'lead_webhook:project:read';

const NO_PROJECT = { value: '', label: 'What each request says, or the default project' };

export const leadKeyNewPage = definePage({
  path: `${LEAD_KEYS}/new`,
  title: 'New lead key',
  permission: 'org.developer.leadkeys.create',
  operations: ['create_api_key'],
  hasMode: true,
  async show(visit) {
    const { data: projects } = await visit.all<{ id: string; name: string }>('/projects');
    const form = visit.form('create', { prefill: true });
    const fields = [
      form.text({ name: 'name', label: 'Name', hint: 'Which form or system uses it.', attributes: html` maxlength="100"` }),
      form.select({
        name: 'project_id',
        label: 'Project',
        hint: 'Where its leads go.',
        options: [NO_PROJECT, ...projects.map(({ id, name }) => ({ value: id, label: name }))],
      }),
      form.tick({ name: 'reads_projects', label: 'It may list projects', hint: 'For systems that let their users choose the project.' }),
      restrictionFields(visit, form, { allowed_ips: [], rate_limit_per_minute: null, expires_at: null }),
    ];
    return {
      title: 'New lead key',
      above: ABOVE,
      lead: visit.mode === 'test' ? 'Its leads are test data.' : 'Its leads are live data.',
      body: form.render({
        body: fields,
        submit: { label: visit.mode === 'test' ? 'Create key for test data' : 'Create key' },
        className: 'narrow',
      }),
    };
  },
  actions: {
    create: {
      operations: ['create_api_key'],
      refusal: 'The key was not created',
      async run(visit, values) {
        const key = await visit.post<ApiKeyWithSecretDto>('/developer/api-keys', {
          name: values.text('name'),
          module: 'lead_webhook',
          mode: visit.mode,
          scopes: [SUBMIT, ...(values.has('reads_projects') ? [READ_PROJECTS] : [])],
          project_id: values.optional('project_id'),
          ...restrictionsOf(values),
        });
        return leadSecretView(visit, 'Key created', key);
      },
    },
  },
});

/** The page with the secret of a key that was created or rolled. */
export function leadSecretView(visit: Visit, title: string, { id, secret }: ApiKeyWithSecretDto): View {
  return secretView({
    title,
    label: 'Key',
    secret,
    advice: 'Put it where your website keeps its secrets, such as LEAD_KEY in its environment.',
    above: ABOVE,
    next: visit.link(`${LEAD_KEYS}/keys/${id}`),
    lost: html`If it is lost, <a href="${visit.link(`${LEAD_KEYS}/keys/${id}`)}#roll">roll the key</a> for a new one.`,
    more: secret === null ? null : html`<h2>Try it</h2>${codeBlock(curlOf(visit, secret), { id: 'curl', label: 'Example request' })}`,
  });
}
