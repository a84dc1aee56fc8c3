import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { PROJECT_ROOT } from '../../src/platform/config/project-root.js';
import { eventually } from '../harness/eventually.js';
import { freePort } from '../harness/free-port.js';
import { hasRedis, startOwnRedis, type OwnRedis } from '../harness/redis.js';
import { explainSkippedTests } from '../harness/skipped-tests.js';
import { FaultHarness, type Worker } from './fault-harness.js';

const TASKS = '/api/v1/ext/tasks/tasks';
const RESTARTS = 20;
const PER_SECOND = 200;

function hasNginx(): boolean {
  const { error } = spawnSync('nginx', ['-v'], { stdio: 'ignore' });
  if (error) explainSkippedTests(`The test of rolling restarts is skipped: ${error.message}`);
  return !error;
}

/** docker/nginx.conf for the ports of this test, without TLS. */
function nginxConfig(folder: string, port: number, [first, second]: readonly number[]): string {
  const site = readFileSync(join(PROJECT_ROOT, 'docker', 'nginx.conf'), 'utf8')
    .replace('127.0.0.1:3001', `127.0.0.1:${first}`)
    .replace('127.0.0.1:3002', `127.0.0.1:${second}`)
    .replace('listen 443 ssl', `listen 127.0.0.1:${port}`)
    .replace(/^ *ssl_certificate.*$/gm, '');
  return `daemon off; worker_processes 1; pid ${folder}/nginx.pid; error_log stderr crit;
events { worker_connections 1024; }
http {
  access_log off;
  client_body_temp_path ${folder}/body; proxy_temp_path ${folder}/proxy;
  fastcgi_temp_path ${folder}/f; uwsgi_temp_path ${folder}/u; scgi_temp_path ${folder}/s;
  ${site}
}`;
}

(hasRedis() && hasNginx() ? describe : describe.skip)('two processes behind nginx', () => {
  const folder = mkdtempSync(join(tmpdir(), 'work-suite-nginx-'));
  const agent = new Agent({ keepAlive: true, maxSockets: 64 });
  let redis: OwnRedis;
  let harness: FaultHarness;
  let nginx: ChildProcess;
  let proxyPort: number;
  const processes: Worker[] = [];

  const startProcess = (port: number) =>
    harness.worker({ APP_ROLE: 'api', PORT: `${port}`, SHUTDOWN_DELAY_SECONDS: '2', RATE_LIMIT_PER_KEY: '1000000' });

  beforeAll(async () => {
    redis = (await startOwnRedis())!;
    harness = await FaultHarness.start({ env: { REDIS_URL: redis.url, RATE_LIMIT_PER_ORGANIZATION: '1000000' } });
    const ports = [await freePort(), await freePort()];
    for (const port of ports) processes.push(await startProcess(port));
    proxyPort = await freePort();
    const file = join(folder, 'nginx.conf');
    writeFileSync(file, nginxConfig(folder, proxyPort, ports));
    nginx = spawn('nginx', ['-p', folder, '-c', file], { stdio: ['ignore', 'ignore', 'inherit'] });
    await eventually(
      () =>
        call('GET').then(
          ({ status }) => status,
          () => 0,
        ),
      (status) => status === 200,
      20_000,
    );
  }, 180_000);
  afterAll(async () => {
    agent.destroy();
    nginx.kill('SIGTERM');
    await once(nginx, 'exit');
    await harness.stop();
    await redis.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  function call(method: 'GET' | 'POST', title = ''): Promise<{ status: number; body: string }> {
    return new Promise((resolve, reject) => {
      const headers = {
        Authorization: `Bearer ${harness.key.secret}`,
        ...(method === 'POST' ? { 'Content-Type': 'application/json' } : {}),
      };
      const sent = request(
        { port: proxyPort, host: '127.0.0.1', path: method === 'GET' ? `${TASKS}?limit=1` : TASKS, method, agent, headers },
        (response) => {
          let body = '';
          response.on('data', (chunk) => (body += chunk));
          response.on('end', () => resolve({ status: response.statusCode ?? 0, body }));
          response.on('error', reject);
        },
      );
      sent.on('error', reject);
      sent.end(method === 'POST' ? JSON.stringify({ project_id: harness.space.eng.id, title }) : undefined);
    });
  }

  test(`${RESTARTS} restarts under ${PER_SECOND} requests per second lose no request`, async () => {
    const ended = new AbortController();
    const outcomes = new Map<string, number>();
    const note = (outcome: string): void => void outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
    const pending = new Set<Promise<void>>();
    const started = performance.now();
    let sent = 0;
    const load = (async () => {
      while (!ended.signal.aborted) {
        while (sent < ((performance.now() - started) / 1_000) * PER_SECOND) {
          const method = sent++ % 2 === 0 ? 'GET' : 'POST';
          const one = call(method, `Task ${sent}`).then(
            ({ status, body }) => note(status < 300 ? `${method} succeeded` : `${method} ${status} ${body.slice(0, 200)}`),
            (error: Error) => note(`${method} ${error.message}`),
          );
          pending.add(one);
          void one.finally(() => pending.delete(one));
        }
        await sleep(5);
      }
    })();
    for (let restart = 0; restart < RESTARTS; restart++) {
      const index = restart % 2;
      const port = Number(new URL(processes[index].url).port);
      await processes[index].kill('SIGTERM');
      processes[index] = await startProcess(port);
    }
    ended.abort();
    await load;
    await Promise.all(pending);
    console.log(
      `${sent} requests in ${Math.round((performance.now() - started) / 1_000)} s: ${JSON.stringify(Object.fromEntries(outcomes))}`,
    );
    expect([...outcomes.keys()].sort()).toEqual(['GET succeeded', 'POST succeeded']);
    const { rows } = await harness.app.sql.query<{ count: number }>(`SELECT count(*)::int FROM tasks WHERE title LIKE 'Task %'`);
    expect(rows[0].count).toBe(outcomes.get('POST succeeded'));
  }, 1_200_000);
});
