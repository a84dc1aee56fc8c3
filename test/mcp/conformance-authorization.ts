import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { freePort } from '../harness/free-port.js';
import { Browser, hiddenFields, register, returnAddress, scopesOn } from '../harness/oauth.js';
import type { Target } from './target.js';

const SUITE = '../../node_modules/@modelcontextprotocol/conformance-next/dist/index.js';
const TIMEOUT_MS = 60_000;

/** Runs the suite's scenarios for authorization servers; a member who is signed in authorizes what the suite asks for. */
export async function authorizationScenarios({
  url,
  ownerEmail,
}: Pick<Target, 'url' | 'ownerEmail'>): Promise<{ code: number; output: string }> {
  const { origin } = new URL(url);
  const port = await freePort();
  const redirect_uris = [`http://127.0.0.1:${port}/callback`];
  const registered = await register(origin, { client_name: 'Conformance', redirect_uris, token_endpoint_auth_method: 'none' });
  const { client_id } = (await registered.json()) as { client_id: string };
  const { issuer } = (await (await fetch(`${origin}/.well-known/oauth-authorization-server`)).json()) as { issuer: string };
  const resource = `${issuer}/api/v1/ext/mcp`;
  const args = ['authorization', '--url', issuer, '--client-id', client_id, '--resource', resource, '--port', String(port)];
  const child = spawn(process.execPath, [fileURLToPath(new URL(SUITE, import.meta.url)), ...args], { timeout: TIMEOUT_MS });
  let output = '';
  let asked = false;
  const read = (chunk: Buffer): void => {
    output += String(chunk);
    const request = /^(http\S+\/oauth\/authorize\?\S+)\s*$/m.exec(output)?.[1];
    if (request === undefined || asked) return;
    asked = true;
    authorize(origin, ownerEmail, request).catch((error: Error) => {
      output += `\n${error.stack}`;
      child.kill();
    });
  };
  child.stdout.on('data', read);
  child.stderr.on('data', read);
  const code = await new Promise<number>((resolve) => child.on('close', (status) => resolve(status ?? 1)));
  return { code, output };
}

async function authorize(origin: string, email: string, request: string): Promise<void> {
  const browser = new Browser(origin);
  await browser.signIn(email);
  const consent = new URL((await browser.get(request)).headers.get('location') as string).pathname;
  const page = await (await browser.get(consent)).text();
  const ticked = scopesOn(page).map(({ scope }) => [`scope.${scope}`, 'on']);
  const form = { ...hiddenFields(page), ...Object.fromEntries(ticked), mode: 'test', decision: 'authorize' };
  await fetch(await returnAddress(await browser.post(consent, form)));
}
