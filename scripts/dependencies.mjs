// Finds imports that .dependency-cruiser.mjs forbids, and folders of src that import each other in a cycle.
import { dirname } from 'node:path/posix';
import { cruise, format } from 'dependency-cruiser';
import extractTsConfig from 'dependency-cruiser/config-utl/extract-ts-config';
import config, { TEST_FILE } from '../.dependency-cruiser.mjs';

const { forbidden, options } = config;
const { output: found } = await cruise(
  ['src', 'migrations', 'test', 'scripts'],
  { ...options, validate: true, ruleSet: { forbidden } },
  undefined,
  { tsConfig: extractTsConfig(options.tsConfig.fileName) },
);
const { output: report, exitCode } = await format(found, { outputType: 'err-long' });
const cycles = folderCycles(found.modules);
console.log(report + cycles.map((cycle) => `  error folders-form-a-dag: ${cycle.join(' → ')}\n`).join(''));
if (exitCode > 0 || cycles.length > 0) process.exitCode = 1;

/**
 * A folder with its subfolders is one node; type imports count, and tests do not. The rules of dependency-cruiser for folders include
 * tests.
 */
function folderCycles(modules) {
  const isProduct = (file) => file.startsWith('src/') && !new RegExp(TEST_FILE).test(file);
  const imports = new Map();
  for (const { source, dependencies } of modules.filter((module) => isProduct(module.source))) {
    const targets = dependencies.map(({ resolved }) => resolved).filter(isProduct);
    for (let folder = dirname(source); folder !== 'src'; folder = dirname(folder)) {
      if (!imports.has(folder)) imports.set(folder, new Set());
      for (const target of targets) if (!target.startsWith(`${folder}/`)) imports.get(folder).add(dirname(target));
    }
  }
  return [...imports].flatMap(([folder, targets]) =>
    [...targets].flatMap((target) => {
      const way = wayBetween(imports, target, folder);
      return way ? [[folder, ...way]] : [];
    }),
  );
}

/** The shortest one, with both ends. */
function wayBetween(imports, from, to) {
  const ways = new Map([[from, [from]]]);
  for (const [folder, way] of ways) {
    if (folder === to) return way;
    for (const next of imports.get(folder) ?? []) if (!ways.has(next)) ways.set(next, [...way, next]);
  }
  return undefined;
}
