import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { PRODUCTION } from '../../../test/harness/settings.js';
import { encryptionKeysOf, hasSecureCookies, loadConfig, publicUrl } from './config.js';
import type { Environment } from './given-settings.js';
import { PROJECT_ROOT } from './project-root.js';
import { Secret } from '../../kit/index.js';
import type { Setting } from '../../kit/internal.js';
import { SETTINGS } from './settings.js';

let dataDir: string;

beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'config-'));
});

afterEach(() => {
  rmSync(dataDir, { recursive: true });
});

function load(env: Environment = {}) {
  return loadConfig({ DATA_DIR: dataDir, ...env });
}

it('rejects a lease of webhook deliveries that does not exceed their timeout', () => {
  const message = 'WEBHOOK_LEASE_MS must be more than WEBHOOK_TIMEOUT_MS, which is 5000, but it is 5000.';
  expect(() => load({ WEBHOOK_LEASE_MS: '5000', WEBHOOK_TIMEOUT_MS: '5000' })).toThrow(message);
  expect(load({ WEBHOOK_LEASE_MS: '5001', WEBHOOK_TIMEOUT_MS: '5000' }).webhookLeaseMs).toBe(5_001);
});

describe('values', () => {
  it('come from the files if the environment does not set them', () => {
    expect(load()).toMatchObject({
      nodeEnv: 'development',
      appRole: 'all',
      host: '127.0.0.1',
      port: 3000,
      baseUrl: undefined,
      databaseUrl: undefined,
      trustedProxies: [],
      rateLimitPerKey: 60,
      bodyLimitBytes: 1_048_576,
    });
    expect(loadConfig({ ...PRODUCTION, DATA_DIR: dataDir }).host).toBe('0.0.0.0');
  });

  it('come from the environment first; an empty variable counts as unset', () => {
    const config = load({ PORT: '8080', HOST: '', TRUSTED_PROXIES: '10.0.0.0/8, ::1', BASE_URL: 'https://a.example/' });
    expect(config.port).toBe(8080);
    expect(config.host).toBe('127.0.0.1');
    expect(config.trustedProxies).toEqual(['10.0.0.0/8', '::1']);
    expect(publicUrl(config, 8080)).toBe('https://a.example');
    expect(publicUrl(load(), 41_234)).toBe('http://localhost:41234');
  });

  it('decide whether cookies are sent over https only: in production always', () => {
    const secure = (env: Environment) => hasSecureCookies(load(env));
    expect([secure({}), secure({ BASE_URL: 'http://a.example' }), secure({ BASE_URL: 'https://a.example' })]).toEqual([false, false, true]);
    expect(secure({ ...PRODUCTION, BASE_URL: 'http://inner.example' })).toBe(true);
  });

  it('cannot be changed afterwards', () => {
    expect(Object.isFrozen(load())).toBe(true);
    expect(Object.isFrozen(load({ TRUSTED_PROXIES: '::1' }).trustedProxies)).toBe(true);
  });

  it('resolve DATA_DIR against the project, wherever the command was typed', () => {
    expect(loadConfig({ ...PRODUCTION, DATA_DIR: 'here' }).dataDir).toBe(join(PROJECT_ROOT, 'here'));
  });
});

describe('an invalid value is rejected with one sentence', () => {
  it.each<[Environment, string]>([
    [{ PORT: 'abc' }, 'PORT must be a whole number from 0 to 65535, but it is "abc".'],
    [{ PORT: '65536' }, 'PORT must be a whole number from 0 to 65535, but it is "65536".'],
    [{ NODE_ENV: 'prod' }, 'NODE_ENV must be development, test or production, but it is "prod".'],
    [{ APP_ROLE: 'web' }, 'APP_ROLE must be all, api or worker, but it is "web".'],
    [
      { TRUSTED_PROXIES: '10.0.0.0/99' },
      'TRUSTED_PROXIES must be a comma-separated list of IP addresses and CIDR ranges, such as 10.0.0.0/8,192.168.1.4, ' +
        'but it is "10.0.0.0/99".',
    ],
    [
      { DATABASE_URL: 'mysql://root:hunter2@db/app' },
      'DATABASE_URL must be a URL that starts with postgres:// or postgresql://, but the given value is not.',
    ],
    [
      { ...PRODUCTION, DATABASE_URL: undefined },
      'DATABASE_URL must be set when NODE_ENV is production, to a URL that starts with postgres:// or postgresql://.',
    ],
    [
      { ...PRODUCTION, BASE_URL: undefined },
      'BASE_URL must be set when NODE_ENV is production, to an http or https URL without query or fragment, ' +
        'such as https://suite.example.com.',
    ],
    [
      { ...PRODUCTION, SESSION_SECRET: 'hunter2' },
      'SESSION_SECRET must be a random string of at least 32 characters, but the given value is not.',
    ],
  ])('%j', (env, message) => {
    expect(() => load(env)).toThrow(expect.objectContaining({ name: 'ConfigError', message }));
  });

  it.each([
    ['http:\n  port: -1\n', 'http.port in config/test.yaml must be a whole number from 0 to 65535, but it is -1.'],
    ['http:\n', 'APP_ROLE has no value: set it, or app.role in config/default.yaml.'],
  ])('in a file: %j', (yaml, message) => {
    writeFileSync(join(dataDir, 'test.yaml'), yaml);
    expect(() => loadConfig({ NODE_ENV: 'test', DATA_DIR: dataDir }, { configDir: dataDir })).toThrow(message);
  });
});

describe('secrets', () => {
  it('are not shown by a configuration that is printed', () => {
    expect(inspect(load({ SESSION_SECRET: 'hunter2'.repeat(5) }), { depth: 9 })).not.toContain('hunter2');
  });

  it('are revealed only by reveal()', () => {
    const secret = new Secret('hunter2');
    expect([`${secret}`, JSON.stringify({ secret }), inspect({ secret })].join()).not.toContain('hunter2');
    expect(secret.reveal()).toBe('hunter2');
  });

  it('may come from files', () => {
    const file = join(dataDir, 'key');
    writeFileSync(file, `${'k'.repeat(40)}\n`);
    const config = load({ ENCRYPTION_KEY_FILE: file });
    expect(config.encryptionKey?.reveal()).toBe('k'.repeat(40));
    expect(config.given.unknownVariables(Object.values<Setting>(SETTINGS))).toEqual([]);
    expect(() => load({ ENCRYPTION_KEY: 'j'.repeat(40), ENCRYPTION_KEY_FILE: file })).toThrow(
      'ENCRYPTION_KEY and ENCRYPTION_KEY_FILE are both set: set one of them.',
    );
    expect(() => load({ SMTP_URL_FILE: '/nowhere' })).toThrow(
      expect.objectContaining({ name: 'ConfigError', message: expect.stringMatching(/^SMTP_URL_FILE must be the path of a file/) }),
    );
  });

  it('ENCRYPTION_KEYS takes the place of ENCRYPTION_KEY', () => {
    const [a, b] = ['a'.repeat(32), 'b'.repeat(32)];
    expect(encryptionKeysOf(load({ ENCRYPTION_KEYS: `${b}, ${a}` }))).toEqual([b, a]);
    expect(encryptionKeysOf(load({ ENCRYPTION_KEYS: JSON.stringify([`${b},`, a]) }))).toEqual([`${b},`, a]);
    expect(() => load({ ENCRYPTION_KEYS: `${b},short` })).toThrow(
      /^ENCRYPTION_KEYS must be a comma-separated list .* the given value is not/,
    );
    expect(() => load({ ENCRYPTION_KEYS: b, ENCRYPTION_KEY: a })).toThrow('ENCRYPTION_KEY and ENCRYPTION_KEYS are both set');
    const { ENCRYPTION_KEY: _, ...others } = PRODUCTION;
    expect(encryptionKeysOf(load({ ...others, ENCRYPTION_KEYS: b }))).toEqual([b]);
  });

  it('are generated once outside production, readable only by their owner', () => {
    const first = load();
    const again = load();
    expect(again.cursorSecret.reveal()).toBe(first.cursorSecret.reveal());
    expect(again.sessionSecret.reveal()).toBe(first.sessionSecret.reveal());
    expect(first.sessionSecret.reveal()).not.toBe(first.cursorSecret.reveal());
    expect(statSync(join(dataDir, 'secrets.json')).mode & 0o777).toBe(0o600);
    expect(Object.keys(JSON.parse(readFileSync(join(dataDir, 'secrets.json'), 'utf8')))).toHaveLength(3);
  });
});

describe('variables that are no settings', () => {
  const unknown = (...names: string[]) =>
    load(Object.fromEntries(names.map((name) => [name, 'x']))).given.unknownVariables(Object.values<Setting>(SETTINGS));

  it('are named if they are misspelt or begin like several settings', () => {
    expect(unknown('WEBHOOK_TIMOUT_MS', 'RATE_LIMIT_PER_TEAM', 'ENCRYPTON_KEY')).toEqual([
      'The environment variable WEBHOOK_TIMOUT_MS is not a setting and is ignored; did you mean WEBHOOK_TIMEOUT_MS?',
      'The environment variable RATE_LIMIT_PER_TEAM is not a setting and is ignored.',
      'The environment variable ENCRYPTON_KEY is not a setting and is ignored; did you mean ENCRYPTION_KEY?',
    ]);
  });

  it('are compared with settings of one word, without underscores, and with those for files', () => {
    const given = ['OUTBOND', 'PROT', 'LOGLEVEL', 'METRICSPORT', 'BASEURL', 'NODE_EVN', 'ENCRYPTON_KEY_FILE'];
    const meant = ['OUTBOUND', 'PORT', 'LOG_LEVEL', 'METRICS_PORT', 'BASE_URL', 'NODE_ENV', 'ENCRYPTION_KEY_FILE'];
    expect(unknown(...given).map((sentence) => /did you mean (.*)\?$/.exec(sentence)?.[1])).toEqual(meant);
  });

  it('are compared by their words, too', () => {
    expect(unknown('TRUSTED_PROXY', 'OUTBOUND_MODE', 'BODY_LIMIT', 'OTEL_EXPORTER_ENDPOINT', 'BASE_URL_FILE', 'HOST_FILE')).toEqual([
      'The environment variable TRUSTED_PROXY is not a setting and is ignored; did you mean TRUSTED_PROXIES?',
      'The environment variable OUTBOUND_MODE is not a setting and is ignored; did you mean OUTBOUND?',
      'The environment variable BODY_LIMIT is not a setting and is ignored; did you mean BODY_LIMIT_BYTES?',
      'The environment variable OTEL_EXPORTER_ENDPOINT is not a setting and is ignored; did you mean OTEL_EXPORTER_OTLP_ENDPOINT?',
      'The environment variable BASE_URL_FILE is not a setting and is ignored: only secrets are read from files; set BASE_URL.',
    ]);
  });

  it('are named by a failure, which they may be the reason of', () => {
    const { ENCRYPTION_KEY: key, ...others } = PRODUCTION;
    expect(() => load({ ...others, ENCRYPTON_KEY: key, OUTBOND: 'off' })).toThrow(
      /^ENCRYPTION_KEY must be set .* ENCRYPTON_KEY is not a setting .* did you mean ENCRYPTION_KEY\? .* OUTBOND is not .* OUTBOUND\?$/,
    );
  });

  it('are not named if they belong to other programs', () => {
    const names =
      'NODE_OPTIONS SESSION_MANAGER HOME PATH PWD OLDPWD npm_lifecycle_event npm_config_loglevel MALLOC_ARENA_MAX XDG_DATA_DIRS LOGNAME ' +
      'HOSTNAME HOSTTYPE HOSTS MAIL MAILCHECK TERM COLORTERM SHELL USER LANG LC_ALL TZ CI EDITOR DISPLAY DEBUG PORTS APP_HOME APP_NAME ' +
      'PGHOST PGPORT PGDATA PGUSER PGDATABASE POSTGRES_USER DBUS_SESSION_BUS_ADDRESS HTTP_PROXY NO_PROXY SSL_CERT_FILE AWS_REGION ' +
      'KUBERNETES_SERVICE_HOST KUBERNETES_PORT KUBERNETES_PORT_443_TCP REDIS_SERVICE_HOST REDIS_SERVICE_PORT_REDIS REDIS_PORT ' +
      'REDIS_PORT_6379_TCP_ADDR INVOCATION_ID JOURNAL_STREAM NOTIFY_SOCKET CREDENTIALS_DIRECTORY ' +
      'OTEL_TRACES_SAMPLER OTEL_TRACES_EXPORTER OTEL_EXPORTER_OTLP_PROTOCOL OTEL_EXPORTER_OTLP_TRACES_ENDPOINT PORT_RANGE NODE_PATH';
    expect(unknown(...names.split(' '))).toEqual([]);
  });
});

describe('the table of settings', () => {
  it('names every variable and path once, and no secret has a path', () => {
    const settings: Setting[] = Object.values(SETTINGS);
    const names = settings.flatMap(({ variable, path }) => [variable, ...(path ? [path] : [])]);
    expect(new Set(names).size).toBe(names.length);
    expect(settings.filter(({ secret, path }) => secret && path)).toEqual([]);
  });
});
