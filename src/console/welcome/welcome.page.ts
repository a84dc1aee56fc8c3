import { html, redirect, type Html, type ProjectDto } from '../../kit/index.js';
import type { ApiKeyDto, ApiKeyWithSecretDto, ScopedModuleDto } from '../../platform/keys/api-keys.dto.js';
import type { WebhookEndpointWithSecretDto } from '../../platform/webhooks/endpoints/webhook-endpoints.dto.js';
import { secretView } from '../components/blocks.js';
import { definePage, type View } from '../frame/page-definition.js';
import type { Values } from '../frame/values.js';
import type { Visit } from '../frame/visit.js';
import { isReading, isWriting } from '../keys/key-texts.js';
import { firstCall } from './first-call.js';
import { isOrdinary } from '../components/key-link.js';
import { step, stepList } from './step.js';
import { isComplete, isNewcomer, progressOf, welcomeState, type WelcomeState } from './welcome-state.js';

const PATH = '/welcome';
const ABOVE = [{ path: PATH, label: 'Get started' }];

export const welcomePage = definePage({
  path: PATH,
  title: 'Get started',
  permission: null,
  operations: ['list_org_projects'],
  nav: '',
  icon: 'rocket',
  parameters: { after: { label: 'Where you come from', values: ['sign_in'], isView: true } },
  isCompleted: async (visit) => isComplete(visit, await welcomeState(visit)),
  notices: { project: 'The project was created.' },
  async show(visit) {
    if (visit.query.get('after') === 'sign_in' && !(await isNewcomer(visit))) return redirect(visit.link(''));
    const state = await welcomeState(visit);
    const steps = progressOf(visit, state);
    const done = steps.filter(Boolean).length;
    const isDone = isComplete(visit, state);
    const overview = isDone ? 'Go to the overview' : 'Skip to the overview';
    const list = html`${projectStep(visit, state)}${await keyStep(visit, state)}${firstCall(visit, state)}${endpointStep(visit, state)}`;
    return {
      title: isDone ? 'You are set up' : 'Get started',
      lead: isDone ? 'Nothing is left to do here for your role.' : 'From an account to a first call and its event, in about five minutes.',
      tools: html`<a class="button${!isDone && ' quiet'}" href="${visit.link('')}">${overview}</a>`,
      body: html`${
        !isDone &&
        html`<p class="steps-done"><progress id="steps" max="${steps.length}" value="${done}"></progress>
<label for="steps">${done} of ${steps.length} steps done</label></p>`
      }${stepList(list)}`,
    };
  },
  actions: {
    create_project: {
      permission: 'org.projects.manage',
      operations: ['create_org_project'],
      refusal: 'The project was not created',
      async run(visit, values) {
        await visit.post<ProjectDto>('/projects', { name: values.text('name'), key: values.text('key') });
        return redirect(visit.link(PATH, { done: 'project' }));
      },
    },
    create_key: {
      permission: 'org.developer.apikeys.manage',
      operations: ['create_api_key'],
      refusal: 'The key was not created',
      run: createKey,
    },
    create_endpoint: {
      permission: 'org.developer.webhooks.manage',
      operations: ['create_webhook_endpoint'],
      refusal: 'The endpoint was not created',
      run: createEndpoint,
    },
  },
});

function lacking(what: string): Html {
  return html`<p class="soft">Your role does not let you do this: somebody who ${what} can.</p>`;
}

function projectStep(visit: Visit, { project }: WelcomeState): Html {
  const start = { number: 1, title: 'Make a project', isDone: project !== null, isNow: true };
  if (project) return step({ ...start, body: html`<p class="soft">${project.name} <code>${project.key}</code></p>` });
  if (!visit.may('create_project')) return step({ ...start, body: lacking('manages projects') });
  const form = visit.form('create_project');
  const fields = html`${form.text({ name: 'name', label: 'Name', value: 'Engineering', attributes: html` maxlength="200"` })}${form.text({
    name: 'key',
    label: 'Key',
    hint: '2 to 10 capital letters and digits. Numbers such as ENG-42 begin with it.',
    value: 'ENG',
    attributes: html` maxlength="10" pattern="[A-Z][A-Z0-9]{1,9}"`,
  })}`;
  const why = html`<p class="soft">What your software makes belongs to a project, such as a team or a product.</p>`;
  return step({ ...start, body: html`${why}${form.render({ className: 'narrow', body: fields, submit: { label: 'Create project' } })}` });
}

const MADE_BY_OTHERS = ' The test keys that exist were made by commands, apps or the demo: only who made them has their secrets.';

async function keyStep(visit: Visit, { project, testKey }: WelcomeState): Promise<Html> {
  const start = { number: 2, title: 'Make a test key', isDone: testKey !== null, isNow: project !== null };
  if (testKey) {
    const link = html`<a href="${visit.link(`/keys/${testKey.id}`)}">${testKey.name}</a> <code>...${testKey.last_four}</code>`;
    return step({ ...start, body: html`<p class="soft">${link}</p>` });
  }
  if (!visit.may('create_key')) return step({ ...start, body: lacking('manages API keys') });
  const modules = await visit.all<ScopedModuleDto>('/developer/scopes');
  const others = await visit.list<ApiKeyDto>('/developer/api-keys', { mode: 'test', status: 'active', limit: 1 });
  const form = visit.form('create_key');
  const module = form.select({
    name: 'module',
    label: 'What should your software work with?',
    hint: 'A key works with one module.',
    value: visit.site.modules.find(({ name }) => isOrdinary(visit, name))?.name,
    options: modules.data.filter(({ name }) => isOrdinary(visit, name)).map(({ name, title: label }) => ({ value: name, label })),
  });
  const submit = { label: 'Create test key', tone: project ? undefined : 'quiet' } as const;
  const why = html`<p class="soft">It reads and writes test data, apart from the real data of your organization: nothing is mailed or
charged.${others.data.length > 0 && MADE_BY_OTHERS}</p>`;
  return step({ ...start, body: html`${why}${form.render({ className: 'narrow', body: module, submit })}` });
}

async function createKey(visit: Visit, values: Values): Promise<View> {
  const module = values.text('module');
  const modules = await visit.all<ScopedModuleDto>('/developer/scopes');
  const { scopes = [], title = module } = modules.data.find(({ name }) => name === module) ?? {};
  const key = await visit.post<ApiKeyWithSecretDto>('/developer/api-keys', {
    name: `First steps with ${title}`,
    module,
    mode: 'test',
    scopes: scopes.map(({ name }) => name).filter((name) => isReading(name) || isWriting(name)),
  });
  const { call, refused } = await welcomeState(visit);
  return secretView({
    title: 'Your test key is ready',
    above: ABOVE,
    label: 'Secret of the key',
    secret: key.secret,
    advice: 'Put it where your software keeps its secrets, such as an environment variable. Do not put it into code or mail.',
    next: visit.link(PATH),
    lost: html`If nobody has stored it, <a href="${visit.link(`/keys/${key.id}`)}">roll the key</a>: it gets a new secret.`,
    more: stepList(firstCall(visit, { testKey: key, call, refused }, key.secret ?? undefined)),
  });
}

function endpointStep(visit: Visit, { call, endpoint }: WelcomeState): Html {
  const start = { number: 5, title: 'Receive events', isDone: endpoint !== null, isNow: call !== null };
  if (endpoint) {
    const link = html`<a href="${visit.link(`/webhooks/${endpoint.id}`)}">${endpoint.url}</a>`;
    return step({ ...start, body: html`<p class="soft">${link}</p>` });
  }
  if (!visit.may('create_endpoint')) return step({ ...start, body: lacking('manages webhooks') });
  const form = visit.form('create_endpoint');
  const url = form.text({
    name: 'url',
    label: 'Address of your software',
    hint: 'https, reachable from the internet.',
    attributes: html` inputmode="url" placeholder="https://example.com/hooks" maxlength="2048"`,
  });
  const why = html`<p class="soft">The suite calls your software when something happens. This endpoint gets all events of test data; its
page sends a test event and shows what your software answered.</p>`;
  const submit = { label: 'Create endpoint', tone: call ? undefined : 'quiet' } as const;
  return step({ ...start, body: html`${why}${form.render({ className: 'narrow', body: url, submit })}` });
}

async function createEndpoint(visit: Visit, values: Values): Promise<View> {
  const endpoint = await visit.post<WebhookEndpointWithSecretDto>('/developer/webhook-endpoints', {
    url: values.text('url'),
    events: ['*'],
    mode: 'test',
  });
  return secretView({
    title: 'Your endpoint is ready',
    above: ABOVE,
    label: 'Signing secret',
    secret: endpoint.secret,
    advice: 'Your software checks with it that a delivery comes from this suite. Put it where your software keeps its secrets.',
    next: visit.link(`/webhooks/${endpoint.id}`),
    lost: 'If nobody has stored it, roll the secret on the page of the endpoint.',
  });
}
