import { ConfigError } from '../../kit/index.js';
import { placeOfManifest, type Manifest } from '../../kit/internal.js';

/** Where a problem names the module that has to change: first, or as the second that declares something. */
const MODULE = /^(?:the module )?([a-z]\w*): |\band by ([a-z]\w*)\b|^[a-z]\w* and ([a-z]\w*) both\b/;

/**
 * Fails the start: with one sentence for one problem, with a list for several.
 * @throws ConfigError naming the manifest of each module of the project that has to change
 */
export function refuseDeclarations(problems: readonly string[], manifests: readonly Manifest[]): void {
  if (problems.length === 0) return;
  const [first, ...others] = problems.map((problem) => problem + placeOf(problem, manifests));
  throw new ConfigError(
    others.length === 0
      ? `A module is declared incorrectly: ${/[.?]$/.test(first) ? first : `${first}.`}`
      : `Some modules are declared incorrectly:\n- ${[first, ...others].join('\n- ')}`,
  );
}

const CONTROLLER = /^([A-Z]\w*)[.:]/;

function placeOf(problem: string, manifests: readonly Manifest[]): string {
  const module = MODULE.exec(problem)?.slice(1).find(Boolean);
  const controller = CONTROLLER.exec(problem)?.[1];
  const declaring = manifests.findLast(({ name, controllers }) => name === module || controllers.some((one) => one.name === controller));
  return placeOfManifest(declaring?.file ?? null);
}
