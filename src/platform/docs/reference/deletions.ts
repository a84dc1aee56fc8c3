import { RESTORABLE_DAYS } from '../../../kit/index.js';
import type { ModuleRegistry } from '../../registry/module-registry.js';
import type { Route } from '../../registry/route-registry.js';
import { memberTwinsOf } from './addresses.js';

/** All deletions, each with what takes it back, as a table in Markdown. */
export function deletionsTable({ manifests }: Pick<ModuleRegistry, 'manifests'>, routes: readonly Route[]): string {
  const undone = new Map(manifests.flatMap(({ undoneBy = {} }) => Object.entries(undoneBy)));
  const restoring = new Map(routes.filter(({ method }) => method === 'POST').map(({ path, endpoint }) => [path, endpoint?.operation]));
  const taking = (deletion: string, path: string): string => {
    const restore = restoring.get(`${path}/restore`);
    if (restore !== undefined) return `\`${restore}\`, for ${RESTORABLE_DAYS} days`;
    const undo = undone.get(deletion);
    if (undo === undefined) return 'nothing';
    return undo.argument === undefined
      ? `\`${undo.operation}\` makes a new one`
      : `\`${undo.operation}\` with \`${undo.argument}\`, for ${RESTORABLE_DAYS} days`;
  };
  const twins = memberTwinsOf(routes);
  const rows = [...manifests, { name: null, title: 'Organization' }].flatMap(({ name, title }) =>
    routes
      .filter(({ module, method, plane, endpoint }) => module === name && method === 'DELETE' && plane !== 'public' && endpoint !== null)
      .filter(({ endpoint }) => !twins.has(endpoint!.operation))
      .map(({ path, endpoint }) => {
        const { operation, summary } = endpoint!;
        return `| ${title} | ${summary}: \`${operation}\` | ${taking(operation, path)} |`;
      }),
  );
  return ['| Part | Deletion | Taken back by |', '|---|---|---|', ...rows].join('\n');
}
