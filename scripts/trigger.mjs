// work-suite trigger: causes an event in the test data of a running suite, by the calls that its module declares. Needs only Node.
import { randomUUID } from 'node:crypto';
import { parseArgs } from 'node:util';
import { demoKey, demoOwner, readEnvironment, suiteUrl } from './environment.mjs';

const USAGE = `Usage: work-suite trigger <event> [--url <base URL>] [--key <test key>]
       work-suite trigger --list

Causes an event in test data. The key is a test key of the event's module; by default that of the demo, in .data/demo.json, or SUITE_KEY.
What only members can do is done by the owner of the demo, or by SUITE_EMAIL with SUITE_PASSWORD.
The base URL is SUITE_URL by default, or http://localhost:PORT; .env of the project may set them.`;
const TIMEOUT_MS = 30_000;

export async function run(args) {
  if (args.some((arg) => ['--help', '-h'].includes(arg))) {
    console.log(USAGE);
    return 0;
  }
  readEnvironment();
  const options = optionsOf(args);
  if (typeof options === 'string') {
    console.error(`${options}\n\n${USAGE}`);
    return 2;
  }
  try {
    const known = await published(options.url);
    if (options.list) {
      const width = Math.max(0, ...known.triggers.map(({ event }) => event.length));
      for (const { event, module, steps } of known.triggers) console.log(`${event.padEnd(width)}  ${module}, ${callsOf(steps)}`);
      return 0;
    }
    const trigger = known.triggers.find(({ event }) => event === options.event);
    if (!trigger) throw new Error(unknown(options.event, known));
    const key = options.key || demoKey(trigger.module) || process.env.SUITE_KEY || '';
    if (key === '') throw new Error(`A key is missing: pass --key with a test key of the module ${trigger.module}.`);
    if (!key.startsWith('svc_test_')) throw new Error('Only test data can be changed: pass a test key, which begins with svc_test_.');
    let isWaiting = false;
    const onJob = ({ name, everySeconds }) => {
      isWaiting = true;
      console.log(
        `${trigger.event} follows within ${everySeconds} s, when the job ${name} runs. To run it now: work-suite jobs run ${name}`,
      );
    };
    await play(trigger, { url: options.url, key, member: demoMember(), onCall: (line) => console.log(line), onJob });
    if (!isWaiting) console.log(`Caused ${trigger.event}.`);
    if (trigger.internal) console.log('It is internal: modules and triggers of documents get it, webhooks and work-suite listen do not.');
    return 0;
  } catch (error) {
    console.error(error.message);
    return 1;
  }
}

function optionsOf(args) {
  let parsed;
  try {
    parsed = parseArgs({
      args,
      allowPositionals: true,
      options: {
        url: { type: 'string', default: suiteUrl() },
        key: { type: 'string', default: '' },
        list: { type: 'boolean', default: false },
      },
    });
  } catch (error) {
    return error.message;
  }
  const { values, positionals } = parsed;
  if (!/^https?:$/.test(URL.parse(values.url)?.protocol ?? '')) return '--url must be the URL of the suite.';
  if (values.list === positionals.length > 0 || positionals.length > 1) return 'Name one event, or pass --list.';
  return { ...values, event: positionals[0] };
}

async function published(url) {
  const response = await fetch(new URL('/triggers.json', url), { signal: AbortSignal.timeout(TIMEOUT_MS) }).catch((error) => {
    throw new Error(`The suite at ${url} cannot be reached (${error.cause?.code ?? error.message}).`, { cause: error });
  });
  if (!response.ok) throw new Error(`The suite at ${url} answered ${response.status} to /triggers.json.`);
  return response.json();
}

function unknown(event, { triggers, events }) {
  const names = triggers.map((trigger) => trigger.event);
  if (events.includes(event)) return `No module declares how to cause ${event}. work-suite trigger --list shows what can be caused.`;
  const near = nearest(event, names);
  return `There is no event ${event}${near ? `; did you mean ${near}?` : '.'} work-suite trigger --list shows all.`;
}

/** The name with the fewest different characters, if it is about the same word. */
function nearest(name, names) {
  const [best] = names.map((candidate) => ({ candidate, edits: distance(name, candidate) })).sort((one, other) => one.edits - other.edits);
  return best && best.edits <= Math.max(2, Math.floor(name.length / 3)) ? best.candidate : null;
}

function distance(one, other) {
  let row = Array.from({ length: other.length + 1 }, (_, at) => at);
  for (let i = 1; i <= one.length; i++) {
    const next = [i];
    for (let j = 1; j <= other.length; j++)
      next.push(Math.min(row[j] + 1, next[j - 1] + 1, row[j - 1] + (one[i - 1] === other[j - 1] ? 0 : 1)));
    row = next;
  }
  return row[other.length];
}

function demoMember() {
  const { SUITE_EMAIL: email, SUITE_PASSWORD: password } = process.env;
  return email && password ? { email, password } : demoOwner();
}

function callsOf(steps) {
  const calls = steps.filter(({ method }) => method !== undefined).length;
  return `${calls} ${calls === 1 ? 'call' : 'calls'}`;
}

/** The headers of a signed-in member's calls in test mode. */
async function signIn(url, member) {
  if (!member) throw new Error('Only a member can cause it: set SUITE_EMAIL and SUITE_PASSWORD.');
  const { email, password } = member;
  const response = await fetch(new URL('/api/v1/org/session', url), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email, password }),
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  if (!response.ok) throw new Error(`${email} could not sign in: ${await response.text()}`);
  const cookie = response.headers.getSetCookie().map((text) => text.split(';', 1)[0]);
  return { cookie: cookie.join('; '), 'x-csrf-token': (await response.json()).csrf_token, 'svc-mode': 'test' };
}

/** Makes the calls of a trigger, one after the other. Returns the answers. */
export async function play({ steps }, { url, key, member, onCall = () => undefined, onJob = () => undefined }) {
  const known = { unique: randomUUID().slice(0, 8) };
  const answers = [];
  let session;
  for (const step of steps) {
    if (step.method === undefined) {
      await onJob(step);
      continue;
    }
    const { method, path, params = {}, query = {}, body, as, by, daysAgo } = step;
    const caller = by === 'member' ? (session ??= await signIn(url, member)) : { authorization: `Bearer ${key}` };
    const place = path.replace(/\{(\w+)\}/g, (_, name) => encodeURIComponent(filled(params[name], known)));
    const target = new URL(place, url);
    for (const [name, value] of Object.entries(query)) target.searchParams.set(name, filled(value, known));
    const response = await fetch(target, {
      method,
      headers: {
        ...caller,
        ...(daysAgo !== undefined && { 'svc-test-clock': new Date(Date.now() - daysAgo * 86_400_000).toISOString() }),
        ...(method !== 'GET' && { 'idempotency-key': randomUUID() }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      body: body === undefined ? undefined : JSON.stringify(filled(body, known)),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    const text = await response.text();
    onCall(`${response.status} ${method} ${target.pathname}${target.search}`);
    if (!response.ok) throw new Error(`The call was refused: ${text}`);
    const answer = text === '' ? null : JSON.parse(text);
    answers.push(answer);
    if (as !== undefined) known[as] = answer;
  }
  return answers;
}

/** A value with its placeholders replaced. */
function filled(value, known) {
  if (typeof value === 'string') {
    const whole = /^\{([^{}]+)\}$/.exec(value)?.[1];
    return whole === undefined ? value.replace(/\{([^{}]+)\}/g, (_, path) => String(found(path, known))) : found(whole, known);
  }
  if (Array.isArray(value)) return value.map((item) => filled(item, known));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, filled(member, known)]));
}

function found(text, known) {
  let value = known;
  for (const [, name, member, wanted] of text.matchAll(/([^.[\]]+)(?:\[(\w+)=([^\]]*)\])?/g)) {
    value = value?.[name];
    if (member !== undefined) value = value?.find?.((item) => String(item[member]) === wanted);
  }
  if (value === undefined || value === null) throw new Error(`The suite has nothing at ${text}: create it in test data first.`);
  return value;
}
