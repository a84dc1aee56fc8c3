import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, readlinkSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Client } from 'pg';
import { startEmbeddedPostgres, type EmbeddedPostgres } from './embedded-postgres.js';

const isRoot = process.getuid?.() === 0;
let dataDir: string;
let server: EmbeddedPostgres | undefined;

beforeAll(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'embedded-postgres-'));
});

afterEach(async () => {
  await server?.stop();
  server = undefined;
});

afterAll(() => {
  // mkdtemp makes a 0700 folder, which root's stand-in cannot enter, so the data lies outside.
  if (isRoot) rmSync(dirname(readlinkSync(join(dataDir, 'postgres'))), { recursive: true });
  rmSync(dataDir, { recursive: true });
});

async function queryValue(url: string, sql: string): Promise<unknown> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query<Record<string, unknown>>(sql);
    return Object.values(rows[0] ?? {})[0];
  } finally {
    await client.end();
  }
}

function lockLines(): string[] {
  return readFileSync(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8').split('\n');
}

describe('the embedded PostgreSQL', () => {
  it('starts in an empty folder, with the password readable only by its owner', async () => {
    server = await startEmbeddedPostgres(dataDir);
    expect(server.reused).toBe(false);
    expect(await queryValue(server.url, 'SELECT current_database()')).toBe('work_suite');
    expect(await queryValue(server.url, 'SHOW server_encoding')).toBe('UTF8');
    expect(await queryValue(server.url, "SELECT upper('straße, žluťoučký')")).toBe('STRAßE, ŽLUŤOUČKÝ');
    expect(statSync(join(dataDir, 'postgres-password')).mode & 0o777).toBe(0o600);
    await queryValue(server.url, 'CREATE TABLE saved (id int)');
    await queryValue(server.url, 'INSERT INTO saved VALUES (42)');
  });

  it('is stopped by stop(), and a second stop() does nothing', async () => {
    server = await startEmbeddedPostgres(dataDir);
    await server.stop();
    await server.stop();
    await expect(queryValue(server.url, 'SELECT 1')).rejects.toThrow();
  });

  it('is reused while it runs, also by concurrent starts, and can be stopped by any of them', async () => {
    const [first, second, third] = await Promise.all([1, 2, 3].map(() => startEmbeddedPostgres(dataDir)));
    expect(new Set([first?.url, second?.url, third?.url]).size).toBe(1);
    expect([first, second, third].filter((one) => !one?.reused)).toHaveLength(1);
    server = await startEmbeddedPostgres(dataDir);
    expect(server).toMatchObject({ reused: true, url: first?.url });
    await server.stop();
    await expect(queryValue(server.url, 'SELECT 1')).rejects.toThrow();
  });

  it('recovers its data after kill -9', async () => {
    server = await startEmbeddedPostgres(dataDir);
    process.kill(Number(lockLines()[0]), 'SIGKILL');
    server = await startEmbeddedPostgres(dataDir);
    expect(server.reused).toBe(false);
    expect(await queryValue(server.url, 'SELECT id FROM saved')).toBe(42);
  });

  it('starts although its old process id belongs to another program, which it does not stop', async () => {
    server = await startEmbeddedPostgres(dataDir);
    const lines = lockLines();
    process.kill(Number(lines[0]), 'SIGKILL');
    const uid = isRoot ? statSync(join(dataDir, 'postgres')).uid : undefined;
    const other = spawn('sleep', ['60'], { stdio: 'ignore', uid });
    try {
      writeFileSync(join(dataDir, 'postgres', 'postmaster.pid'), [other.pid, ...lines.slice(1)].join('\n'));
      server = await startEmbeddedPostgres(dataDir);
      expect(server.reused).toBe(false);
      expect(other.exitCode ?? other.signalCode).toBeNull();
    } finally {
      other.kill();
    }
  });

  it('starts over where an earlier initialisation was interrupted', async () => {
    const folder = mkdtempSync(join(dataDir, 'interrupted-'));
    mkdirSync(join(folder, 'postgres'));
    writeFileSync(join(folder, 'postgres', 'PG_VERSION'), '18\n');
    server = await startEmbeddedPostgres(folder);
    expect(await queryValue(server.url, 'SELECT 1')).toBe(1);
    await server.stop();
    if (isRoot) rmSync(dirname(readlinkSync(join(folder, 'postgres'))), { recursive: true });
  });
});
