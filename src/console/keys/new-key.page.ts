import { html, type Html } from '../../kit/index.js';
import type { ApiKeyWithSecretDto, ScopedModuleDto } from '../../platform/keys/api-keys.dto.js';
import type { OrgMemberDto } from '../../platform/people/model/member.dto.js';
import { codeBlock, secretView } from '../components/blocks.js';
import { isOrdinary } from '../components/key-link.js';
import { definePage } from '../frame/page-definition.js';
import { AddressRefused } from '../frame/parameters.js';
import type { Visit } from '../frame/visit.js';
import { askingField, restrictionFields, restrictionsOf } from './key-fields.js';
import { exampleCall, isReading, isWriting, keyChoices, scopeChoices, type KeyNames } from './key-texts.js';

const ABOVE = [{ path: '/keys', label: 'API keys' }];
const YEAR_MS = 365 * 24 * 60 * 60_000;

/** Every field takes its value from the address, so that a guide can link to a key that only needs to be confirmed. */
export const newKeyPage = definePage({
  path: '/keys/new',
  title: 'New API key',
  permission: 'org.developer.apikeys.manage',
  operations: ['list_scopes', 'list_org_projects', 'list_org_members'],
  parameters: { module: { label: 'Module', isView: true } },
  async show(visit) {
    const [choices, members] = await Promise.all([keyChoices(visit), visit.all<OrgMemberDto>('/members', { status: 'active' })]);
    const names = { ...choices, members: members.data };
    const asked = visit.query.get('module');
    const module = names.modules.find(({ name }) => name === asked && isOrdinary(visit, name));
    if (asked !== null && !module)
      throw new AddressRefused([{ name: 'module', text: `Module is \u201c${asked}\u201d, but there are no keys for it here.` }]);
    if (!module) return { title: 'New API key', above: ABOVE, lead: 'Which module is it for?', body: moduleChoice(visit, names) };
    return { title: `New key for ${module.title}`, above: ABOVE, body: keyForm(visit, module, names) };
  },
  actions: {
    create: {
      operations: ['create_api_key'],
      refusal: 'The key was not created',
      async run(visit, values) {
        const module = values.text('module');
        const { modules } = await keyChoices(visit);
        const offered = modules.find(({ name }) => name === module)?.scopes ?? [];
        const scopes = scopesOf(values.text('access'), values.all('scopes'), offered);
        const key = await visit.post<ApiKeyWithSecretDto>('/developer/api-keys', {
          name: values.text('name'),
          module,
          mode: values.text('mode'),
          scopes,
          project_id: values.optional('project_id'),
          actor_user_id: values.optional('actor_user_id'),
          requires_plan: values.has('requires_plan'),
          ...restrictionsOf(values),
        });
        return keySecretView(visit, key, 'The key is ready');
      },
    },
  },
});

function scopesOf(access: string, chosen: readonly string[], offered: ScopedModuleDto['scopes']): string[] {
  if (access === 'choose') return [...chosen];
  const names = offered.map(({ name }) => name);
  return names.filter((name) => isReading(name) || (access === 'write' && isWriting(name)));
}

/** The secret of a key that was made or rolled, with a first call. */
export function keySecretView(visit: Visit, key: ApiKeyWithSecretDto, title: string) {
  const call = exampleCall(visit.site, key.scopes, key.secret ?? undefined);
  return secretView({
    title,
    above: ABOVE,
    label: `Secret of ${key.name}`,
    secret: key.secret,
    advice: 'Put it where your software keeps its secrets, such as an environment variable. Do not put it into code or mail.',
    next: visit.link(`/keys/${key.id}`),
    lost: 'If nobody has stored it, roll the key: it gets a new secret, and keeps everything else.',
    more:
      call !== null &&
      html`<h2>First call</h2><p>It changes nothing. A moment later it appears in the log.</p>
${codeBlock(call, { id: 'call', label: 'First call' })}`,
  });
}

function moduleChoice(visit: Visit, { modules }: KeyNames): Html {
  const given = Object.fromEntries(visit.query);
  const choices = modules
    .filter(({ name }) => isOrdinary(visit, name))
    .map(
      ({ name, title, scopes }) =>
        html`<li class="option"><a href="${visit.link('/keys/new', { ...given, module: name })}">${title}</a>
<p class="soft">${scopes.map(({ description }) => description).join('. ')}.</p></li>`,
    );
  return html`<ul class="plain options">${choices}</ul>
<p class="soft narrow">A key works with one module, so a lost key exposes only that module. Software that uses several modules
needs a key for each.</p>`;
}

function keyForm(visit: Visit, module: ScopedModuleDto, { projects, members }: KeyNames): Html {
  const form = visit.form('create', { prefill: true });
  const { id } = visit.visitor.member;
  const others = members
    .filter((member) => member.id !== id)
    .map((member) => ({ value: member.id, label: `${member.name} (${member.email})` }));
  const access = form.radios({
    name: 'access',
    label: 'What it may do',
    value: visit.query.has('scopes') ? 'choose' : 'read',
    options: [
      { value: 'read', label: 'Read only' },
      { value: 'write', label: 'Read and write', hint: 'but neither delete nor act in the name of members' },
      { value: 'choose', label: 'Choose' },
    ],
  });
  return form.render({
    className: 'narrow',
    submit: { label: 'Create key' },
    body: html`${form.hidden('module', module.name)}
${form.text({ name: 'name', label: 'Name', hint: 'What uses the key, such as "Nightly import".', attributes: html` maxlength="100"` })}
${form.radios({
  name: 'mode',
  label: 'Data',
  value: 'test',
  options: [
    { value: 'test', label: 'Test', hint: 'separate data to experiment with; nothing is mailed or charged' },
    { value: 'live', label: 'Live', hint: 'the real data of your organization' },
  ],
})}
${access}
<div class="chosen">${form.ticks({ name: 'scopes', label: 'Scopes', options: scopeChoices(visit, module) })}</div>
${form.select({
  name: 'project_id',
  label: 'Project',
  hint: 'A key of one project sees nothing of the others.',
  options: [
    { value: '', label: 'All projects' },
    ...projects
      .filter(({ status }) => status === 'active')
      .map((project) => ({ value: project.id, label: `${project.name} (${project.key})` })),
  ],
})}
${form.select({
  name: 'actor_user_id',
  label: 'Acts for',
  hint: 'Only needed where members act, such as approving a document.',
  options: [{ value: '', label: 'Nobody' }, { value: id, label: 'You' }, ...others],
})}
${askingField(form, false)}
${restrictionFields(visit, form, {
  allowed_ips: [],
  rate_limit_per_minute: null,
  expires_at: new Date(Date.now() + YEAR_MS).toISOString(),
})}`,
  });
}
