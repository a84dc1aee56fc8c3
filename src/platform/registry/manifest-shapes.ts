import type { AgentWords, EventDefinition, LegalHold, ModuleKeys, PermissionDefinition, PersonalData } from '../../kit/index.js';
import { jobOf, scheduledJobOf, type JobOptions, type Manifest, type RetentionRule, type ScheduledJobOptions } from '../../kit/internal.js';
import { suggestion } from './near-matches.js';
import { tokenProblems } from './token-problems.js';

type Keys<T> = Readonly<Record<keyof T, true>>;

const PERMISSION: Keys<PermissionDefinition> = { title: true, group: true, roles: true, needsSecondFactor: true };
const MODULE_KEYS: Keys<ModuleKeys> = { permissions: true, ratePerMinute: true, consolePath: true };
const KEY_PERMISSIONS: Keys<ModuleKeys['permissions']> = { view: true, create: true, delete: true, calls: true };
const WORDS: Keys<AgentWords> = { search: true, arguments: true, parties: true };
const RULE: Keys<RetentionRule> = {
  table: true,
  column: true,
  columnType: true,
  keepDays: true,
  where: true,
  batch: true,
  partitioned: true,
  partitions: true,
};
const HOLD: Keys<LegalHold> = { entity: true, where: true, title: true };
const PERSONAL: Keys<PersonalData> = { entity: true, title: true, where: true, names: true, erase: true, keep: true };
const SUBSCRIPTIONS: Keys<NonNullable<Manifest['eventSubscriptions']>> = { table: true, where: true };
const EVENT: Keys<EventDefinition> = {
  name: true,
  description: true,
  permission: true,
  scope: true,
  payload: true,
  context: true,
  internal: true,
};
const JOB: Keys<JobOptions> = { name: true, attempts: true, outbound: true };
const SCHEDULED_JOB: Keys<ScheduledJobOptions> = { name: true, everySeconds: true, followsMails: true };
const JOB_NAME = /^[a-z][a-z0-9_]*(\.[a-z][a-z0-9_]*)+$/;

/** What the compiler would find in a manifest, but not in one that is written in JavaScript or made from spread objects. */
export function shapeProblems(manifest: Manifest): string[] {
  const {
    name,
    permissions = {},
    keys,
    agentWords = {},
    retention = [],
    legalHolds = [],
    personalData = [],
    eventSubscriptions,
    events = {},
  } = manifest;
  return [
    ...Object.entries(permissions).flatMap(([permission, definition]) => permissionProblems(`the permission ${permission}`, definition)),
    ...(keys ? keyProblems(keys) : []),
    ...unknownKeys('agentWords', agentWords, WORDS),
    ...retention.flatMap((rule) => ruleProblems(`retention of the table ${rule.table}`, rule)),
    ...legalHolds.flatMap((hold) => holdProblems(manifest, `the legal hold of ${hold.title}`, hold)),
    ...personalData.flatMap((rule) => personalProblems(manifest, `personalData of ${rule.title}`, rule)),
    ...(eventSubscriptions ? subscriptionProblems(eventSubscriptions) : []),
    ...Object.values<EventDefinition>(events).flatMap((event) => unknownKeys(`the event ${event.name}`, event, EVENT)),
    ...(manifest.internalEvents?.length === 0 ? ['internalEvents is empty: list types, or leave it out to hear all'] : []),
    ...tokenProblems(manifest),
    ...jobProblems(manifest),
    ...unlistedProblems(manifest),
  ].map((problem) => `${name}: ${problem}`);
}

/** `; did you mean ...?` included; none for what is no object. */
export function unknownKeys(what: string, value: object, known: Keys<never>): string[] {
  const names = Object.keys(known);
  return Object.keys(value)
    .filter((key) => !names.includes(key))
    .map((key) => `${what} has the key ${key}, which does not exist${suggestion(key, names)}`);
}

function permissionProblems(what: string, definition: PermissionDefinition): string[] {
  const problems = unknownKeys(what, definition, PERMISSION);
  if (!isText(definition.title)) problems.push(`${what} has no title: write what it permits, such as 'See notes'`);
  if (!Array.isArray(definition.roles)) problems.push(`${what} has no roles: list the default roles that have it, or []`);
  return problems;
}

function keyProblems(keys: ModuleKeys): string[] {
  const permissions: object = keys.permissions ?? {};
  const missing = Object.keys(KEY_PERMISSIONS).filter((action) => !isText(permissions[action as keyof object]));
  return [
    ...unknownKeys('keys', keys, MODULE_KEYS),
    ...unknownKeys('keys.permissions', permissions, KEY_PERMISSIONS),
    ...missing.map((action) => `keys.permissions has no ${action}: name the permission that it requires`),
    ...wholeNumber('keys.ratePerMinute', keys.ratePerMinute),
  ];
}

function ruleProblems(what: string, rule: RetentionRule): string[] {
  const { keepDays, batch, columnType = 'timestamptz', where, partitioned, partitions } = rule;
  return [
    ...unknownKeys(what, rule, RULE),
    ...(where === undefined ? [] : condition(what, where)),
    ...(where !== undefined && partitioned ? [`${what} has both where and partitioned: partitions are dropped with all their rows`] : []),
    ...(keepDays === undefined ? [`${what} has no keepDays`] : wholeNumber(`keepDays of ${what}`, keepDays)),
    ...wholeNumber(`batch of ${what}`, batch),
    ...wholeNumber(`partitions of ${what}`, partitions),
    ...(['timestamptz', 'uuidv7'].includes(columnType) ? [] : [`columnType of ${what} must be timestamptz or uuidv7`]),
  ];
}

function holdProblems({ entities }: Manifest, what: string, hold: LegalHold): string[] {
  const isOwn = entities.includes(hold.entity);
  return [...unknownKeys(what, hold, HOLD), ...condition(what, hold.where), ...(isOwn ? [] : [`${what} is of no entity of the module`])];
}

function personalProblems({ entities }: Manifest, what: string, rule: PersonalData): string[] {
  return [
    ...unknownKeys(what, rule, PERSONAL),
    ...(entities.includes(rule.entity) ? [] : [`${what} is of no entity of the module`]),
    ...(rule.erase === undefined && rule.keep === undefined ? [`${what} has neither erase nor keep: say what becomes of the rows`] : []),
  ];
}

function subscriptionProblems(declared: NonNullable<Manifest['eventSubscriptions']>): string[] {
  return [...unknownKeys('eventSubscriptions', declared, SUBSCRIPTIONS), ...condition('eventSubscriptions', declared.where)];
}

function condition(what: string, where: unknown): string[] {
  return isText(where) ? [] : [`where of ${what} must be an SQL condition, such as 'archived_at IS NULL'`];
}

function jobProblems({ name, jobs = [], scheduledJobs = [], onInternalEvent }: Manifest): string[] {
  const named = (what: string, job: string) =>
    JOB_NAME.test(job) ? [] : [`the ${what} "${job}" must be ${name}.verb_noun, in lower-case letters, digits and underscores`];
  return [
    ...[...jobs, ...(onInternalEvent ? [onInternalEvent] : [])]
      .map(jobOf)
      .flatMap((job) => [
        ...unknownKeys(`the job ${job.name}`, job, JOB),
        ...named('job', job.name),
        ...wholeNumber(`attempts of the job ${job.name}`, job.attempts),
      ]),
    ...scheduledJobs
      .map(scheduledJobOf)
      .flatMap((job) => [...unknownKeys(`the scheduled job ${job.name}`, job, SCHEDULED_JOB), ...named('scheduled job', job.name)]),
  ];
}

/** Nest would refuse an export in words of its own, and the others only when they are first needed. */
function unlistedProblems(manifest: Manifest): string[] {
  const { providers, settings = [], jobs = [], scheduledJobs = [], onInternalEvent, imports = [], exports = [] } = manifest;
  const tokens = providers.map((provider) => (typeof provider === 'object' && 'provide' in provider ? provider.provide : provider));
  const own = new Set<unknown>([...tokens, ...settings, ...jobs, ...scheduledJobs, onInternalEvent]);
  const imported = new Set<unknown>(imports);
  const unlisted = (['projectSetup', 'brand', 'mailTransport', 'fileStorage', 'aiModel', 'paymentProvider'] as const).flatMap((key) => {
    const provider = manifest[key];
    return provider === undefined || own.has(provider) ? [] : [`${key} is ${provider.name}, which is not listed in providers`];
  });
  const reader = manifest.documentTokens?.provider;
  if (reader && !own.has(reader)) unlisted.push(`the provider of documentTokens is ${reader.name}, which is not listed in providers`);
  const exported = exports.filter((one) => typeof one === 'function' && !own.has(one) && !imported.has(one));
  return [...unlisted, ...exported.map((one) => `exports lists ${(one as { name: string }).name}, which is not listed in providers`)];
}

function wholeNumber(what: string, value: unknown): string[] {
  return value === undefined || (Number.isInteger(value) && (value as number) >= 1) ? [] : [`${what} must be a whole number of at least 1`];
}

function isText(value: unknown): boolean {
  return typeof value === 'string' && value.trim() !== '';
}
