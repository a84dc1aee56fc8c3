import type { Type } from '@nestjs/common';
import { ConfigError, type EventDefinition } from '../kit/index.js';
import { manifestOf, placeOfManifest, type Manifest } from '../kit/internal.js';
import { PLATFORM_DECLARATIONS } from '../platform/platform-declarations.js';
import { suggestion } from '../platform/registry/near-matches.js';

/**
 * An event of a built-in module that the suite leaves out never happens, but may be listened to. Any other name is misspelt.
 * @throws ConfigError naming the module and the event
 */
export async function requireHeardEvents(modules: readonly Type[]): Promise<void> {
  const manifests = modules.map(manifestOf);
  const types = eventsOf(manifests);
  const isUnknown = (type: string) => !types.has(type);
  if (!manifests.some(({ internalEvents }) => internalEvents?.some(isUnknown))) return;
  // a suite may have none of the built-in modules, and then does not load them
  const { MODULES } = await import('../modules.js');
  for (const type of eventsOf([...MODULES.map(manifestOf), PLATFORM_DECLARATIONS])) types.add(type);
  for (const { name, file, internalEvents } of manifests) {
    const unknown = internalEvents?.find(isUnknown);
    if (unknown === undefined) continue;
    throw new ConfigError(
      `The module ${name}${placeOfManifest(file)} has the event ${unknown} in internalEvents, which no module declares` +
        (suggestion(unknown, [...types]) || ': remove it, or add the module that declares it.'),
    );
  }
}

function eventsOf(declarations: readonly Pick<Manifest, 'events'>[]): Set<string> {
  return new Set(declarations.flatMap(({ events }) => Object.values<EventDefinition>(events ?? {}).map(({ name }) => name)));
}
