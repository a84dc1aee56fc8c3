import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { sharedApp } from '../harness/hosted-app.js';
import { createTestDatabase } from '../harness/test-database.js';

/** By the names of `module-boots.ts`. */
const REASONS: [string, RegExp][] = [
  ['a route without @Endpoint and @Public', /OneRoute\.list \(GET \/api\/v1\/ext\/things\/naked\) declares neither @Endpoint nor @Public/],
  ['a keyed route without a scope', /things\/free\) is keyed but declares no scope/],
  ['a keyed route that is also public', /things\/things\) is public, but declares the scope things:thing:read/],
  [
    'an operation that is declared twice',
    /OneRoute: the operation list_things is declared twice: GET \/api\/v1\/ext\/things\/things and GET \/api\/v1\/ext\/things\/more/,
  ],
  ['an operation that is not a valid tool name', /the operation "listThings" must be verb_noun/],
  ['a scope that no manifest declares', /the scope things:more:read of list_more is not declared/],
  ['a write that returns files', /POST \/api\/v1\/ext\/things\/things\) returns files, which only a GET or a public route can/],
  ['a dryRun of a write that can be tried out anyway', /POST .*things\) declares dryRun without ownTransactions/],
  [
    'a call that reaches outside with transactions of its own, which cannot be tried out',
    /POST .*things\) is destructive or openWorld, but has transactions of its own without dryRun/,
  ],
  ['a GET that reaches outside', /GET .*things\) is destructive or openWorld, but a GET/],
  ['a writesOnGet of another method', /POST .*things\) declares writesOnGet, but is no GET/],
  ['a bareList that is not a field of the body', /bareList must be a list field of the body, but things is not/],
  [
    'a misspelt permission of a route',
    /: list_staff \(GET \/api\/v1\/org\/things\) requires the permission things\.thing\.mange, .* did you mean things\.thing\.manage\?/,
  ],
  [
    'a misspelt permission of a member twin',
    /OneRouteForMembers: list_org_things \(GET \/api\/v1\/org\/things\/things\) requires the permission thing\.manage/,
  ],
  [
    'a misspelt permission of a scope',
    /things: the scope things:thing:read requires the permission things\.thing\.maange, which no manifest declares; did you mean/,
  ],
  [
    'a misspelt permission of an event',
    /things: the event thing\.created requires the permission org\.member\.manage.*mean org\.members\.manage/,
  ],
  [
    'settings that are injected but not listed',
    /things: NeedsSettings injects ThingSettings, which the manifest does not list in settings/,
  ],
  [
    'a module whose import has no line',
    /things imports OthersModule, which is not in the list of modules: add the line of others, or remove that of things \(ThingsModule\)/,
  ],
  [
    'an optional sibling that is not injected with @Optional',
    /things: the constructor of NeedsThings injects Things of others, which is in uses: inject it with @Optional\(\)/,
  ],
  ['an undeclared sibling', /NeedsThings injects Things of others: list OthersModule in uses, or in imports if things cannot/],
  ['a subject that links to no operation', /things: apiOnly links Things to create_org_thing, which is no operation for members/],
  [
    'a table that two modules declare',
    /^A module is declared incorrectly: the table others_rows is declared by others and by things, as TakenRow: choose another name\.$/,
  ],
  [
    'a path that two routes have',
    /incorrectly: OneRoute: GET \/api\/v1\/ext\/things\/things is a route of OneRoute already: choose another path\.$/,
  ],
  ['a permission that two modules declare', /the permission things\.thing\.manage is declared by things and by others/],
  ['a permission of an unknown default role', /the permission things\.thing\.manage names the role boss, which is none of owner, admin/],
  ['a scope that no route needs', /the scope things:thing:write is declared, but no route requires it/],
  ['a scope that two modules declare', /the scope things:thing:read is declared by things and by others/],
  [
    'an error code with different statuses',
    /the error duplicate is 400 conflict_error in things, but 409 conflict_error in the platform: choose/,
  ],
  [
    'an event with a scope of no manifest',
    /the event thing\.created names the scope things:more:write, which is not a scope of the module/,
  ],
  ['an error of a constraint that is not listed', /the error rare of the constraint members_pkey is not listed in errors/],
  ['a constraint that two modules declare', /the constraint members_pkey is declared by things and by others/],
  ['a constraint that no table has', /things: no table has the constraint thing_span_excl, which the manifest declares/],
  ['an event that two modules declare', /the event thing\.created is declared by things and by others/],
  ['an entity without a scoping', /the entity Unscoped has no @Scoped/],
  ['an entity that no manifest lists', /forgetful: the entity ForgottenTrip of forgotten\.ts is not listed in the manifest/],
  ['an event that no manifest lists', /forgetful: the event trip\.forgotten of forgotten\.ts is not listed in the manifest/],
  [
    'a provider that no manifest lists',
    /^Trips of HastyModule injects ForgottenRates \(as argument 1 of its constructor\).*list ForgottenRates in providers of HastyModule/,
  ],
  [
    'two modules with the same prefix',
    /^A module is declared incorrectly: things and others both have the prefix things: choose another one\.$/,
  ],
  ['a prefix that is not a path segment', /things: the prefix "a\/b" must be lower-case letters/],
  [
    'retention of tables, columns and conditions that do not exist',
    new RegExp(
      [
        'retention of the table leads is partitioned, but the table is not: partition it in a migration',
        'things: retention of the table leeds cannot be read: relation "leeds" does not exist',
        'things: retention of the table leads cannot be read: column "made_at" does not exist',
        'things: retention of the table leads cannot be read: column "convertd_at" does not exist',
        'things: retention of the table leads cannot be read: operator does not exist: uuid <= timestamp with time zone',
        'things: retention of the table leads cannot be read: syntax error at or near "\\)"',
        'things: retention names leads, which is no table of the module: list its entity in entities',
        'things: eventSubscriptions of the table thing_triggers cannot be read: relation "thing_triggers" does not exist',
      ].join('\n- '),
    ),
  ],
  [
    'retention of a table of another module',
    /things: retention names others_rows, a table of others: declare it in the manifest of others/,
  ],
  ['retention of a table of the platform', /things: retention names members, which is no table of the module: list its entity in entities/],
  [
    'retention for no or parts of days, or by empty batches',
    new RegExp(
      [
        ...Array<string>(3).fill('- things: keepDays of retention of the table things must be a whole number of at least 1'),
        '- things: retention of the table things has no keepDays',
        '- things: batch of retention of the table things must be a whole number of at least 1',
        '- things: retention of the table things has the key wher, which does not exist; did you mean where\\?$',
      ].join('\n'),
    ),
  ],
  [
    'providers of a manifest that are not listed',
    /projectSetup is Unlisted, which is not listed in providers\n- things: brand is Unlisted.*\n- things: exports lists Unlisted/,
  ],
  [
    'document tokens that are declared incorrectly',
    new RegExp(
      'things: documentTokens has no provider: name a class that extends DocumentTokens' +
        String.raw`\n- things: the document token "Thing name" must be lower-case letters, digits and underscores` +
        String.raw`\n- things: the type of the document token Thing name must be text, number, date, boolean` +
        String.raw`\n- things: the document token Thing name has no description: write what it prints` +
        String.raw`\n- things: the provider of documentTokens is Unlisted, which is not listed in providers`,
    ),
  ],
  [
    'jobs with names that are none, or with no attempt',
    /the key atempts.*mean attempts\?\n- things: the job "Hear things" must be things\.verb_noun.*\n- things: attempts of the job/,
  ],
  ['a job named like one of the platform', /things: the job webhooks\.deliver begins with the name of no module: begin it with things/],
  ['an empty list of internal events', /things: internalEvents is empty: list types, or leave it out to hear all/],
  [
    'a route below the prefix of another module',
    /GET \/api\/v1\/ext\/others\/things is below the prefix others of the module others: begin it with that of things/,
  ],
  [
    'modules that import each other by forwardRef',
    /: things: imports has OthersModule by forwardRef: let only one of two modules import the other/,
  ],
  [
    'a route at an address of the platform',
    /: OneRoute: GET \/api\/v1\/ext\/mcp is below the prefix mcp of no module: begin it with that of things\.$/,
  ],
  [
    'a route for members too that exists already',
    /: OneRoute: GET \/api\/v1\/ext\/things\/things is a route of OneRoute already: choose another path\.$/,
  ],
  [
    'synonyms of a word that no tool has',
    /^[^]*incorrectly:\n- things: agentWords\.search has synonyms of widget, which no tool of the module/,
  ],
  [
    'unknown keys inside a manifest and a route',
    new RegExp(
      [
        '- things: the permission things\\.thing\\.view has the key role, which does not exist; did you mean roles\\?',
        '- things: the permission things\\.thing\\.view has no title: write what it permits.*',
        '- things: the permission things\\.thing\\.view has no roles: list .*',
        '- things: keys has the key limit, which does not exist',
        ...['view', 'create', 'delete', 'calls'].map((one) => `- things: keys\\.permissions has no ${one}: name the permission.*`),
        '- things: agentWords has the key synonyms, which does not exist',
        '- things: the event thing\\.created has the key scop, which does not exist; did you mean scope\\?$',
      ].join('\n'),
    ),
  ],
  ['an unknown key of a route', /GET \/api\/v1\/ext\/things\/things\): @Endpoint has the key sumary, .* did you mean summary\?/],
  [
    'unknown keys inside the options of a route',
    /: member of @Endpoint has the key pth, .* mean path\?\n.*: lookup of @Endpoint has the key sections, .* mean section\?/,
  ],
  [
    'conditions that are none',
    new RegExp(
      [
        ...Array<string>(2).fill('- things: where of retention of the table things must be an SQL condition.*'),
        '- things: where of eventSubscriptions must be an SQL condition.*',
      ].join('\n'),
    ),
  ],
  [
    'internal events without a handler',
    /things: the manifest has internalEvents, but no handler of events: .*\n- things: the manifest has eventSubscriptions, but no handler/,
  ],
  [
    'a job with the name of another module',
    /things: the job others\.count_things begins with the name of the module others: begin it with/,
  ],
  [
    'a permission with the name of another module',
    /things: the permission others\.thing\.manage begins with the name of the module others/,
  ],
  ['a scope with the name of another module', /things: the scope others:thing:read begins with the name of the module others/],
  ['a route with a scope of another module', /: the scope things:thing:read of list_others is one of things: declare one of others/],
  ['a key that no manifest has', /things: the manifest has the key retentions, which does not exist; did you mean retention\?/],
  ['an argument that no tool takes', /things: agentWords\.arguments names due_no for deadline, which no tool of the module takes/],
  ['two modules with the same name', /two modules are named things/],
];

const app = await sharedApp();
const { bootFailure } = app.inside<typeof import('./module-boots.js')>('test/contract/module-boots.ts');
let database: Awaited<ReturnType<typeof createTestDatabase>>;
beforeAll(async () => void (database = await createTestDatabase()));
afterAll(() => database.drop());

describe('boot', () => {
  test.each(REASONS)('fails with the reason for %s', async (modules, reason) => {
    expect(await bootFailure(modules, database.url)).toMatch(reason);
  });

  test('succeeds for the valid module', async () => {
    expect(await bootFailure('nothing wrong', database.url)).toBeNull();
  });
});
