import { jobOf, MANIFEST_KEYS, scheduledJobOf, type Manifest } from '../../kit/internal.js';
import { suggestion } from './near-matches.js';

/** What manifests declare that nothing would read, or that belongs to another module. */
export function manifestProblems(manifests: readonly Manifest[]): string[] {
  const owners = new Map<string, Set<string>>();
  // a prefix that two modules have is told once, and is the fault of no name
  for (const { name, prefix } of manifests)
    for (const word of [name, prefix]) owners.set(word, (owners.get(word) ?? new Set<string>()).add(name));
  return manifests.flatMap((manifest) =>
    [...unknownKeys(manifest), ...listeningProblems(manifest), ...foreignNames(manifest, owners, manifests)].map(
      (problem) => `${manifest.name}: ${problem}`,
    ),
  );
}

function unknownKeys(manifest: Manifest): string[] {
  return Object.keys(manifest)
    .filter((key) => key !== 'folder' && key !== 'file' && !MANIFEST_KEYS.includes(key))
    .map((key) => `the manifest has the key ${key}, which does not exist${suggestion(key, MANIFEST_KEYS)}`);
}

function listeningProblems({ onInternalEvent, internalEvents = [], eventSubscriptions }: Manifest): string[] {
  const unheard = onInternalEvent
    ? []
    : [...(internalEvents.length > 0 ? ['internalEvents'] : []), ...(eventSubscriptions ? ['eventSubscriptions'] : [])];
  return unheard.map((key) => `the manifest has ${key}, but no handler of events: declare it as onInternalEvent, or remove ${key}`);
}

/** Names that begin with the name of another module would collide with its own sooner or later. */
function foreignNames(manifest: Manifest, owners: ReadonlyMap<string, ReadonlySet<string>>, all: readonly Manifest[]): string[] {
  const isTaken = (full: string) => all.some((other) => other !== manifest && (full in other.scopes || full in (other.permissions ?? {})));
  const { name, prefix, permissions = {}, scopes, jobs = [], scheduledJobs = [], onInternalEvent } = manifest;
  const named = [
    ...Object.keys(permissions).map((permission) => ['permission', permission]),
    ...Object.keys(scopes).map((scope) => ['scope', scope]),
    ...[...jobs, ...(onInternalEvent ? [onInternalEvent] : [])].map((job) => ['job', jobOf(job).name]),
    ...scheduledJobs.map((job) => ['scheduled job', scheduledJobOf(job).name]),
  ];
  return named.flatMap(([what, full]) => {
    const [first] = full.split(/[.:]/);
    const named = owners.get(first);
    if (named)
      // what another module declares, too, is told elsewhere
      return named.has(name) || isTaken(full)
        ? []
        : [`the ${what} ${full} begins with the name of the module ${[...named][0]}: begin it with ${prefix}`];
    // the platform has jobs of other names
    return what.endsWith('job') ? [`the ${what} ${full} begins with the name of no module: begin it with ${prefix}`] : [];
  });
}
