// work-suite new module <name> --package: writes a module as a package that can be published.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { OF_TEAM } from './module-files.mjs';
import { kebab } from './module-names.mjs';
import { readArguments, writeModule } from './new-module.mjs';
import { developmentPackages, requirementOf, runningPackage, SUITE } from './new-project.mjs';
import { ROOT, StepFailed } from './prepare.mjs';

const TEMPLATES = join(ROOT, 'scripts', 'templates');

export async function run(args) {
  const { name, resource } = readArguments(args);
  const folder = resolve(kebab(name));
  if (existsSync(folder)) throw new StepFailed(`${folder} exists: choose another name, or delete that folder first.`);
  const { names, files } = writeModule(name, { resource, project: folder, isPackage: true, imports: OF_TEAM });
  const [modulePath] = files.find(([path]) => path.endsWith('.module.ts'));
  const kit = `^${SUITE.version}`;
  const text = readFileSync(join(folder, modulePath), 'utf8');
  writeFileSync(join(folder, modulePath), text.replace(/^( *name: '.*',\n)/m, `$1  kit: '${kit}',\n`));
  const file = names['module-file'];
  const values = { ...names, package: `suite-${file}` };
  const put = (path, content) => {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content, { flag: 'wx' });
  };
  const copy = (path, template) =>
    put(
      path,
      readFileSync(join(TEMPLATES, `${template}.tmpl`), 'utf8').replace(/\{\{([\w -]+)\}\}/g, (_, token) => values[token]),
    );
  put('src/index.ts', `export { ${names.Module}Module as default } from './${file}.module.js';\n`);
  put('package.json', `${JSON.stringify(manifestOf(values, kit, requirementOf(runningPackage(), folder)), null, 2)}\n`);
  copy('suite.config.ts', 'package/suite.config.ts');
  copy('README.md', 'package/README.md');
  copy('tsconfig.json', 'tsconfig.json');
  // no .npmrc as projects have: with ignore-scripts, npm pack would not run prepack, and pack nothing
  copy('.gitignore', 'gitignore');
  console.log(`Wrote the package ${values.package} with the module ${names.module}:

  cd ${relative(process.cwd(), folder)}
  npm install
  npm test
  npm pack        # ${values.package}-1.0.0.tgz

In the project of a suite: npm install <path>/${values.package}-1.0.0.tgz, and '${values.package}' in the modules of suite.config.ts.`);
  return 0;
}

function manifestOf({ package: name, 'Module words': title }, kit, suite) {
  return {
    name,
    version: '1.0.0',
    description: `The module ${title} for work-suite.`,
    type: 'module',
    exports: { '.': { types: './dist/src/index.d.ts', default: './dist/src/index.js' }, './package.json': './package.json' },
    files: ['dist/src', 'dist/migrations', '!**/*.map', '!**/*spec.d.ts'],
    scripts: { start: 'work-suite start', test: 'work-suite test', prepack: 'work-suite build --declarations' },
    // * is the version that the suite has installed
    peerDependencies: { '@nestjs/common': '*', typeorm: '*', 'work-suite': kit },
    devDependencies: { ...developmentPackages(), 'work-suite': suite },
  };
}
