// The public API of the package, as reports that a review reads: what its exports declare, without comments. npm run api writes them.
// `node scripts/api-report.mjs --check` compares them; it is one of the checks of npm test.
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { spawnSync } from 'node:child_process';
import { pathToFileURL } from 'node:url';
import { fail, install, pinnedNode, ROOT, StepFailed } from './prepare.mjs';

const REPORTS = {
  'src/kit/index': 'src/kit/kit.api.md',
  'src/suite/index': 'src/suite/suite.api.md',
  'test/index': 'test/testing.api.md',
};
const DRAFT = join(ROOT, 'dist', 'api');

async function main(isCheck) {
  await install();
  const changed = [];
  for (const [report, text] of await reports()) {
    const file = join(ROOT, report);
    if (existsSync(file) && readFileSync(file, 'utf8') === text) continue;
    changed.push(report);
    if (!isCheck) writeFileSync(file, text);
  }
  if (isCheck && changed.length > 0)
    throw new StepFailed(
      `${changed.join(', ')}: the public API differs from the report. If that is meant, run "npm run api", and say in CHANGELOG.md and ` +
        'UPGRADING.md what changes; UPGRADING.md says which version that needs.',
    );
  console.log(changed.length > 0 ? `Wrote ${changed.join(', ')}.` : 'The reports of the public API are up to date.');
}

/** By the paths of their files. */
async function reports() {
  rmSync(DRAFT, { recursive: true, force: true });
  mkdirSync(DRAFT, { recursive: true });
  const entries = Object.keys(REPORTS);
  const project = join(DRAFT, 'tsconfig.json');
  const extended = {
    extends: '../../tsconfig.package.json',
    // types are checked elsewhere
    compilerOptions: { noCheck: true, outDir: '.' },
    include: [],
    files: entries.map((path) => `../../${path}.ts`),
  };
  writeFileSync(project, JSON.stringify(extended));
  const compiler = join(ROOT, 'node_modules', 'typescript-native', 'bin', 'tsc');
  const { status, stdout } = spawnSync(pinnedNode(), [compiler, '-p', project, '--singleThreaded'], { cwd: ROOT, encoding: 'utf8' });
  if (status !== 0) throw new StepFailed(`The declarations have errors:\n${stdout}`);

  const { CompilerState, Extractor, ExtractorConfig } = (await import('@microsoft/api-extractor')).default;
  const files = entries.map((path) => join(DRAFT, `${path}.d.ts`));
  const { extends: _, ...options } = JSON.parse(readFileSync(join(ROOT, 'tsconfig.json'), 'utf8'));
  const silent = { default: { logLevel: 'none' } };
  const configs = files.map((mainEntryPointFilePath) =>
    ExtractorConfig.prepare({
      configObject: {
        projectFolder: DRAFT,
        mainEntryPointFilePath,
        compiler: {
          overrideTsconfig: { compilerOptions: { ...options.compilerOptions, rootDir: DRAFT, outDir: undefined, paths: {} }, files },
        },
        apiReport: { enabled: true, reportFolder: DRAFT, reportTempFolder: DRAFT, reportFileName: 'report' },
        docModel: { enabled: false },
        dtsRollup: { enabled: false },
        tsdocMetadata: { enabled: false },
        newlineKind: 'lf',
        messages: { compilerMessageReporting: silent, extractorMessageReporting: silent, tsdocMessageReporting: silent },
      },
      packageJsonFullPath: join(ROOT, 'package.json'),
    }),
  );
  const compilerState = CompilerState.create(configs[0], { additionalEntryPoints: files.slice(1) });
  return configs.map((config, index) => {
    const errors = [];
    const messageCallback = (message) => {
      if (message.logLevel === 'error') errors.push(message.text);
      message.handled = true;
    };
    Extractor.invoke(config, { localBuild: true, compilerState, messageCallback });
    if (errors.length > 0) throw new StepFailed(`${entries[index]}.ts: ${errors.join(' ')}`);
    const text = readFileSync(config.reportFilePath, 'utf8');
    return [REPORTS[entries[index]], text.replace(/^## API Report File .*$/m, `## The API of ${dirname(REPORTS[entries[index]])}`)];
  });
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) main(process.argv[2] === '--check').catch(fail);
