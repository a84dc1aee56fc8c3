// Shared by conformance.mjs and inspector.mjs: the server under test, a proxy that adds the key, child processes.
import { spawn } from 'node:child_process';
import { createServer, request } from 'node:http';
import { fileURLToPath } from 'node:url';

/** The running server that `MCP_URL` and `MCP_KEY` identify, or else a new one. */
export async function target(options) {
  const { MCP_URL: url, MCP_KEY: key } = process.env;
  if (url !== undefined) return { url, key: key ?? '', stop: async () => undefined };
  const { startTarget } = await import('./target.ts');
  return startTarget(options);
}

/** A proxy that adds the key, because the suites cannot send headers. It keeps Host and Origin, which are under test. */
export async function authorizingProxy({ url, key }) {
  const upstream = new URL(url);
  const server = createServer((incoming, outgoing) => {
    const headers = { ...incoming.headers, authorization: `Bearer ${key}` };
    const { hostname, port } = upstream;
    const forwarded = request({ hostname, port, path: incoming.url, method: incoming.method, headers }, (response) => {
      outgoing.writeHead(response.statusCode ?? 502, response.headers);
      response.pipe(outgoing);
    });
    forwarded.on('error', () => outgoing.destroy());
    outgoing.on('close', () => forwarded.destroy());
    incoming.pipe(forwarded);
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address();
  const stop = () =>
    new Promise((resolve) => {
      server.close(resolve);
      server.closeAllConnections();
    });
  return { url: `http://127.0.0.1:${port}${upstream.pathname}`, stop };
}

/** Runs a package's script; resolves with its exit code and output. */
export function run(script, args, { timeout = 120_000, env = {} } = {}) {
  const path = fileURLToPath(new URL(`../../node_modules/${script}`, import.meta.url));
  const child = spawn(process.execPath, [path, ...args], { timeout, env: { ...process.env, ...env } });
  const output = { stdout: '', stderr: '' };
  child.stdout.on('data', (data) => (output.stdout += data));
  child.stderr.on('data', (data) => (output.stderr += data));
  return new Promise((resolve) => child.on('close', (code) => resolve({ code: code ?? 1, ...output })));
}
