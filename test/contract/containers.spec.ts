import { spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterAll, describe, expect, test } from '@jest/globals';
import { parse, parseAllDocuments } from 'yaml';
import { PROJECT_ROOT } from '../../src/platform/config/project-root.js';
import { manifestFaults, type Manifest } from './kubernetes-schema.js';

const textOf = (path: string) => readFileSync(join(PROJECT_ROOT, path), 'utf8');

/** A spec of the README files keeps them equal to what is declared. */
const CONFIGURATION = textOf('config/README.md');
const SETTINGS = new Set(Array.from(CONFIGURATION.matchAll(/^\| `([A-Z0-9_]+)` \|/gm), ([, name]) => name));
const SECRETS = Array.from(/\*\*Secrets\*\*[^]*?\n\n/.exec(CONFIGURATION)![0].matchAll(/`([A-Z0-9_]+)`/g), ([, name]) => name);
const HEALTH = textOf('src/platform/http/unrouted/worker-paths.ts');
const README = textOf('docker/README.md');
/** Of operators; the others write source code. */
const COMMANDS = ['migrate', 'jobs', 'keys', 'org', 'person', 'audit', 'outbound', 'storage', 'secrets'];

const isSetting = (name: string) => SETTINGS.has(name) || (name.endsWith('_FILE') && SECRETS.includes(name.slice(0, -'_FILE'.length)));
const variablesIn = (text: string) => Array.from(text.matchAll(/^(?:# )?([A-Z][A-Z0-9_]+)=/gm), ([, name]) => name);

const folder = mkdtempSync(join(tmpdir(), 'entry-point-'));
afterAll(() => rmSync(folder, { recursive: true }));

test('the image runs the commands of operators, and the suite without one', () => {
  writeFileSync(join(folder, 'node'), '#!/bin/sh\necho "$*"\n', { mode: 0o755 });
  const run = (...args: string[]) => {
    const env = { ...process.env, PATH: `${folder}${delimiter}${process.env['PATH']}`, PORT: '4000' };
    const { status, stdout } = spawnSync('sh', [join(PROJECT_ROOT, 'docker', 'entrypoint.sh'), ...args], { encoding: 'utf8', env });
    return [
      status,
      stdout
        .replaceAll(PROJECT_ROOT, '')
        .replace(/--[\w-]+(=\d+)? /g, '')
        .trim(),
    ];
  };
  expect(run()).toEqual([0, '/dist/src/main.js']);
  for (const command of COMMANDS) {
    expect(run(command, '-x', 'a')).toEqual([0, `/dist/src/cli/main.js ${command} -x a`]);
    expect(textOf('scripts/commands.mjs')).toContain(`\n  ${command}: `);
    expect(README).toMatch(new RegExp(`that runs the suite or[^.]*\`${command}\``));
  }
  expect(run('health', 'ready')[1]).toContain(`'http://127.0.0.1:4000/health/ready'`);
  expect(run('start-over')).toEqual([2, '']);
});

test('the image is built with all files that its compiler needs', () => {
  const [, stage] = /AS build\n([^]*?)\nFROM/.exec(textOf('docker/Dockerfile'))!;
  const sources = Array.from(stage.matchAll(/^COPY (.*) \S+$/gm), ([, paths]) => paths.split(' ')).flat();
  const sent = textOf('docker/Dockerfile.dockerignore').split('\n');
  expect(sources.filter((path) => !sent.includes(`!${path}`))).toEqual([]);
  const project = join(folder, 'project');
  for (const path of sources.filter((name) => !['src', 'migrations'].includes(name)))
    cpSync(join(PROJECT_ROOT, path), join(project, path), { recursive: true });
  symlinkSync(join(PROJECT_ROOT, 'node_modules'), join(project, 'node_modules'));
  const { stderr } = spawnSync(process.execPath, ['scripts/compiler.mjs', '.', 'suite.config.ts'], { cwd: project, encoding: 'utf8' });
  expect([stderr, existsSync(join(project, 'dist', 'suite.config.js'))]).toEqual(['', true]);
  const imported = Array.from(textOf('scripts/bundle.mjs').matchAll(/from '\.\/(.*)'/g), ([, file]) => `scripts/${file}`);
  expect(sources).toEqual(expect.arrayContaining(imported));
});

test('the image has the version of the package', () => {
  const { version } = JSON.parse(textOf('package.json')) as { version: string };
  expect(textOf('docker/Dockerfile')).toContain(`\nARG VERSION=${version}\n`);
  expect(textOf('docker/kubernetes/kustomization.yaml')).toContain(`newTag: ${version}\n`);
});

test('neither git nor the package has what is secret', () => {
  const secret = ['docker/.env', 'docker/secrets/encryption_key', 'seal.key', 'seal.crt', 'seal.p12'];
  const { stdout } = spawnSync('git', ['check-ignore', ...secret], { cwd: PROJECT_ROOT, encoding: 'utf8' });
  expect(stdout.trim().split('\n')).toEqual(secret);
  expect((JSON.parse(textOf('package.json')) as { files: string[] }).files).toEqual(
    expect.arrayContaining(['!docker/.env', '!docker/secrets']),
  );
});

describe('compose.yaml', () => {
  interface Service {
    image: string;
    environment?: Record<string, string>;
    env_file?: string;
    command?: string[];
    ports?: string[];
    secrets?: string[];
    depends_on?: Record<string, unknown>;
    healthcheck?: { test?: string[] };
    logging: { options: Record<string, string> };
  }
  const text = textOf('docker/compose.yaml');
  const { services, secrets } = parse(text, { merge: true }) as {
    services: Record<string, Service>;
    secrets: Record<string, { file: string }>;
  };
  const suite = Object.entries(services).filter(([, { image }]) => image === 'work-suite');

  test('gives the suite settings that exist, and the files of its secrets', () => {
    expect(suite.map(([name]) => name)).toEqual(['api-1', 'api-2', 'worker', 'migrate']);
    for (const [name, { environment = {}, secrets: mounted = [], env_file, command, depends_on }] of suite) {
      expect([name, Object.keys(environment).filter((variable) => !isSetting(variable))]).toEqual([name, []]);
      const files = Object.values(environment).filter((value) => value.startsWith('/run/'));
      expect(files).toEqual(mounted.map((secret) => `/run/secrets/${secret}`));
      expect([env_file, environment['MIGRATE_AT_START']]).toEqual(['.env', 'no']);
      expect(command ?? [COMMANDS[0]]).toEqual([COMMANDS[0]]);
      expect('migrate' in depends_on!).toBe(name !== 'migrate');
    }
  });

  test('has a file for each secret, which secrets.sh creates and never replaces', () => {
    const used = Object.values(services).flatMap((service) => service.secrets ?? []);
    expect(Object.keys(secrets).sort()).toEqual([...new Set(used)].sort());
    for (const [name, { file }] of Object.entries(secrets)) {
      expect(file).toBe(`./secrets/${name}`);
    }
    const docker = join(folder, 'docker');
    for (const name of ['secrets.sh', '.env.example']) cpSync(join(PROJECT_ROOT, 'docker', name), join(docker, name));
    mkdirSync(join(docker, 'secrets'));
    writeFileSync(join(docker, 'secrets', 'redis_url'), 'redis://10.0.0.6');
    const run = () => spawnSync('sh', [join(docker, 'secrets.sh')], { encoding: 'utf8' });
    const { status, stderr } = run();
    expect([status, status === 0 ? '' : stderr]).toEqual([0, '']);
    expect(readdirSync(join(docker, 'secrets')).sort()).toEqual(Object.keys(secrets).sort());
    expect(readFileSync(join(docker, 'secrets', 'redis_url'), 'utf8')).toBe('redis://10.0.0.6');
    for (const half of ['tls_key', 'tls_certificate']) {
      const file = join(docker, 'secrets', half);
      renameSync(file, `${file}.away`);
      expect(run()).toMatchObject({ status: 1, stderr: expect.stringContaining('has one of tls_certificate and tls_key') });
      renameSync(`${file}.away`, file);
    }
  });

  test.each([
    // what openssl makes in each step of secrets.sh
    [
      'secrets.sh',
      'openssl',
      'case $1 in rand) echo x ;; req) touch seal.key.part seal.crt.part ;; pkcs12) kill -TERM $PPID ;; esac',
      /^seal\./,
    ],
    [
      'backup.sh',
      'pg_dump',
      'for one; do case $one in --file=*) touch "$(echo "$one" | cut -c8-)" ;; esac; done; kill -TERM $PPID',
      /dump/,
    ],
  ])('%s that is interrupted leaves no key and no half of a dump', (script, program, does, left) => {
    const docker = mkdtempSync(join(folder, 'interrupted-'));
    for (const name of [script, '.env.example']) cpSync(join(PROJECT_ROOT, 'docker', name), join(docker, name));
    writeFileSync(join(docker, program), `#!/bin/sh\n${does}\n`, { mode: 0o755 });
    const made = join(docker, 'secrets');
    const env = { PATH: `${docker}${delimiter}${process.env['PATH']}`, DATABASE_URL: 'postgres://none' };
    const { status, signal } = spawnSync('sh', [join(docker, script), made], { env });
    expect([status, signal]).toEqual([1, null]);
    expect(readdirSync(made).filter((name) => left.test(name))).toEqual([]);
  });

  test('publishes one port, bounds all logs, and asks for paths that exist', () => {
    expect(Object.entries(services).filter(([, { ports }]) => ports !== undefined)).toEqual([['proxy', services['proxy']]]);
    expect(services['proxy'].ports).toHaveLength(1);
    for (const { logging } of Object.values(services)) expect(Object.keys(logging.options)).toEqual(['max-size', 'max-file']);
    const [, , check, path] = services['api-1'].healthcheck!.test!;
    expect([check, HEALTH.includes(`'/health/${path}'`)]).toEqual(['health', true]);
    const { http } = parse(textOf('config/default.yaml')) as { http: { port: number } };
    expect(textOf('docker/nginx.compose.conf')).toContain(`http://$api:${http.port};`);
  });

  test('and its example of docker/.env name only variables that something reads', () => {
    const names = variablesIn(textOf('docker/.env.example'));
    expect(names.length).toBeGreaterThan(20);
    expect(names.filter((name) => !isSetting(name) && !text.includes(`\${${name}:-`))).toEqual([]);
  });
});

describe('the manifests for Kubernetes', () => {
  interface Container {
    env?: { name: string; value: string }[];
    args?: string[];
    ports?: { name: string; containerPort: number }[];
    envFrom: object[];
    image: string;
    resources: object;
    securityContext: object;
    volumeMounts: object[];
    [probe: `${string}Probe`]: { httpGet: { path: string; port: string } };
  }
  interface Pod {
    terminationGracePeriodSeconds: number;
    containers: Container[];
    securityContext: object;
    volumes: object[];
  }
  const { resources } = parse(textOf('docker/kubernetes/kustomization.yaml')) as { resources: string[] };
  const manifests = resources.flatMap((file) =>
    parseAllDocuments(textOf(`docker/kubernetes/${file}`)).map((document) => document.toJS() as Manifest),
  );
  const named = (kind: string, name: string) => manifests.find((one) => one.kind === kind && one.metadata.name === name)!.spec;
  const pods = manifests.flatMap(({ kind, spec }) => (/Deployment|Job/.test(kind) ? [(spec.template as { spec: Pod }).spec] : []));
  const settings = new Map(
    Array.from(textOf('docker/kubernetes/settings.env').matchAll(/^([A-Z0-9_]+)=(.*)$/gm), ([, name, value]) => [name, value]),
  );

  test('are all applied, and valid by the schemas of Kubernetes without a field that these do not know', async () => {
    const others = ['kustomization.yaml', 'prometheus-adapter.yaml', 'settings.env'];
    expect(readdirSync(join(PROJECT_ROOT, 'docker', 'kubernetes')).sort()).toEqual([...resources, ...others].sort());
    expect(manifests.length).toBeGreaterThan(10);
    for (const manifest of manifests) expect([manifest.kind, await manifestFaults(manifest)]).toEqual([manifest.kind, []]);
    const misspelt = { ...manifests[0], spec: { ...manifests[0].spec, replica: 2, paused: 'maybe' } };
    expect(await manifestFaults(misspelt)).toEqual([expect.stringContaining('/spec/paused'), '/spec/replica is unknown']);
  });

  test('name settings, secrets, commands, ports and paths that exist', () => {
    expect([...settings.keys()].filter((name) => !isSetting(name))).toEqual([]);
    const files = [...settings.values()].flatMap((value) => /^\/run\/work-suite\/(.+)$/.exec(value)?.[1] ?? []);
    const { 'x-app': app } = parse(textOf('docker/compose.yaml'), { merge: true }) as { 'x-app': { secrets: string[] } };
    expect(files).toEqual(app.secrets);
    for (const { containers } of pods) {
      const [container] = containers;
      for (const { name } of container.env ?? []) expect([name, isSetting(name)]).toEqual([name, true]);
      for (const argument of container.args ?? []) expect(COMMANDS).toContain(argument);
      const probes = Object.entries(container).flatMap(([key, value]) => (key.endsWith('Probe') ? [value as Container['xProbe']] : []));
      for (const { httpGet } of probes) expect([httpGet.port, HEALTH.includes(`'${httpGet.path}'`)]).toEqual(['http', true]);
      if (container.ports) expect(container.ports.map((port) => port.containerPort)).toEqual([3000, Number(settings.get('METRICS_PORT'))]);
    }
  });

  test('run all pods alike, and give them the time to stop', () => {
    const shared = pods.map(({ securityContext, volumes, containers: [container] }) => {
      const { envFrom, image, resources, securityContext: own, volumeMounts } = container;
      return { securityContext, volumes, envFrom, image, resources, own, volumeMounts };
    });
    expect(shared).toEqual([shared[0], shared[0], shared[0]]);
    for (const { terminationGracePeriodSeconds } of pods.slice(0, 2)) {
      const needed = Number(settings.get('SHUTDOWN_DELAY_SECONDS')) + Number(settings.get('SHUTDOWN_TIMEOUT_SECONDS'));
      expect(terminationGracePeriodSeconds).toBeGreaterThan(needed + 5);
    }
  });

  test('add workers by a metric that the adapter makes of one that the suite has', () => {
    const { rules } = parse(textOf('docker/kubernetes/prometheus-adapter.yaml')) as {
      rules: { external: { seriesQuery: string; metricsQuery: string; name: { as: string } }[] };
    };
    const [{ seriesQuery, metricsQuery, name }] = rules.external;
    const metrics = textOf('src/platform/metrics/backlogs.ts');
    for (const [used] of `${seriesQuery} ${metricsQuery}`.matchAll(/work_suite_\w+/g)) expect(metrics).toContain(`'${used}'`);
    expect(JSON.stringify(named('HorizontalPodAutoscaler', 'work-suite-worker'))).toContain(`"metric":{"name":"${name.as}"}`);
  });
});
