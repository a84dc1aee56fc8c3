import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import { DomainModule } from '../kit/index.js';
import { manifestOf } from '../kit/internal.js';
import { MODULES } from '../modules.js';
import { SUITE_VERSION } from '../platform/config/suite-version.js';
import { builtIn, defineSuite, type SuiteModule } from './define-suite.js';
import { evaluateSuite } from './load-suite.js';
import { loadModules } from './suite-modules.js';

const folder = mkdtempSync(join(tmpdir(), 'work-suite-config-'));
afterAll(() => rmSync(folder, { recursive: true }));

const manifest = (name: string, kit?: string, internalEvents?: string[]) => ({
  name,
  kit,
  internalEvents,
  title: name,
  guide: '',
  scopes: {},
  entities: [],
  controllers: [],
  providers: [],
});

@DomainModule(manifest('fleet', `^${SUITE_VERSION}`))
class FleetModule {}

@DomainModule(manifest('fleet'))
class OtherFleetModule {}

@DomainModule(manifest('later', '^2.1.0'))
class LaterModule {}

@DomainModule(manifest('hearing', undefined, ['deal.won', 'webhook_endpoint.tested']))
class HearingModule {}

@DomainModule(manifest('misheard', undefined, ['task.createt']))
class MisheardModule {}

@DomainModule(manifest('deaf', undefined, ['parking_ticket.paid']))
class DeafModule {}

@DomainModule(manifest('odd', 'newest'))
class OddModule {}

class Plain {}

const load = (...modules: SuiteModule[]) => loadModules(defineSuite({ modules }));

test('the modules are those that are listed, in their order', async () => {
  const { modules } = await load(FleetModule, ...builtIn({ without: ['hr', 'desk'] }));
  const others = MODULES.filter((module) => !['hr', 'desk'].includes(manifestOf(module).name));
  expect(modules).toEqual([FleetModule, ...others]);
});

test.each<[string, SuiteModule[], string]>([
  [
    'an unknown built-in module',
    [...builtIn({ without: ['hrm'] })],
    'suite.config.ts leaves out "hrm", which is no built-in module; did you mean crm or hr?',
  ],
  ['a module twice', [FleetModule, FleetModule], 'suite.config.ts lists the module fleet twice: remove one entry.'],
  ['two of one name', [FleetModule, OtherFleetModule], 'suite.config.ts lists two modules named fleet'],
  ['a class without a manifest', [Plain], 'suite.config.ts lists Plain, which has no @DomainModule'],
  ['what is no module', [null as unknown as SuiteModule], 'suite.config.ts lists null as a module'],
  ['a list that is not spread', [builtIn() as unknown as SuiteModule], 'suite.config.ts lists a list as a module'],
  [
    'a package that is absent',
    ['@acme/suite-fleet'],
    'suite.config.ts lists the package @acme/suite-fleet, which is not installed: run "npm install',
  ],
  ['a package without a module', ['pg'], 'suite.config.ts lists the package pg, whose default export is no class with @DomainModule'],
  ['another kit', [LaterModule], `The module later needs the kit ^2.1.0, but work-suite is ${SUITE_VERSION}: install`],
  [
    'a misspelt event',
    [MisheardModule],
    'The module misheard has the event task.createt in internalEvents, which no module declares; did you mean task.created?',
  ],
  [
    'an event that no module declares',
    [DeafModule],
    'The module deaf has the event parking_ticket.paid in internalEvents, which no module declares: remove it, or add the module',
  ],
  ['a kit that is no range', [OddModule], 'The module odd needs the kit "newest", which is no range of versions'],
])('%s is one sentence', async (_, modules, sentence) => {
  await expect(load(...modules)).rejects.toMatchObject({ name: 'ConfigError', message: expect.stringContaining(sentence) });
});

test.each<[string, () => unknown, string]>([
  ['a misspelt key', () => defineSuite({ modules: [], setings: {} } as never), 'the key setings, but it takes only modules and settings.'],
  ['no modules', () => defineSuite({} as never), 'no list of modules: write "defineSuite({ modules: [...builtIn()] })".'],
  ['a text in without', () => builtIn({ without: 'hr' as never }), `no list in without: write "builtIn({ without: ['hr'] })".`],
])('%s is one sentence', (_, define, sentence) => {
  expect(define).toThrow(expect.objectContaining({ name: 'ConfigError', message: expect.stringContaining(sentence) }));
});

test('events of built-in modules that are left out, and of the platform, may be listened to', async () => {
  const { modules } = await load(HearingModule);
  expect(modules).toEqual([HearingModule]);
});

test.each([
  [
    'throws.mjs',
    'const port = undefined;\nport.toString();',
    /^suite\.config\.ts cannot be loaded: Cannot read .*; correct it, or what it imports\.$/,
  ],
  [
    'cycle.mjs',
    'let a = B;\nclass B {}',
    /^suite\.config\.ts cannot be loaded: .* uses B before it is defined; if two modules import each other, .*other\.$/,
  ],
  ['syntax.mjs', 'export default {', /^suite\.config\.ts cannot be loaded: Unexpected end of input/],
  ['import.mjs', `import './absent.js';`, /^suite\.config\.ts cannot be loaded: Cannot find module/],
  ['object.mjs', 'throw { code: 3 };', /^suite\.config\.ts cannot be loaded: it throws \{ code: 3 \}; correct it/],
  ['rejected.mjs', 'export default Promise.reject(new Error("no port"));', /^suite\.config\.ts cannot be loaded: no port; correct it/],
  ['without.mjs', 'export const suite = {};', /^suite\.config\.ts has no default export: write/],
  ['other.mjs', 'export default { modules: 3 };', /^suite\.config\.ts exports something else than a suite/],
])('a configuration in %s is one sentence', async (name, text, sentence) => {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, name), text);
  await expect(evaluateSuite(join(folder, name))).rejects.toMatchObject({ name: 'ConfigError', message: expect.stringMatching(sentence) });
});
