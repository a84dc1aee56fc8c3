import type { ModuleRegistry } from '../registry/module-registry.js';
import { suggestion } from '../registry/near-matches.js';
import type { Route } from '../registry/route-registry.js';

/** A call as it is made: what `work-suite trigger` reads. */
interface PublishedStep {
  method: string;
  path: string;
  params?: Readonly<Record<string, string>>;
  query?: Readonly<Record<string, string>>;
  body?: Readonly<Record<string, unknown>>;
  as?: string;
}

interface PublishedTrigger {
  event: string;
  module: string;
  steps: PublishedStep[];
}

/** The triggers of all modules, for `/triggers.json`. Throws if one names an event or operation that its module lacks. */
export function eventTriggers({ manifests }: ModuleRegistry, routes: readonly Route[]): PublishedTrigger[] {
  return manifests
    .flatMap(({ name, events = {}, triggers = {} }) => {
      const types = Object.values(events).map((event) => event.name);
      const keyed = routes.filter(({ module, plane }) => module === name && plane === 'keyed');
      const operations = new Map(keyed.flatMap((route) => (route.endpoint ? [[route.endpoint.operation, route]] : [])));
      return Object.entries(triggers).map(([event, steps]) => {
        if (!types.includes(event)) throw new Error(`${name}: triggers names ${event}, which is no event of it${suggestion(event, types)}`);
        return { event, module: name, steps: steps.map(({ call, ...step }) => ({ ...placeOf(name, event, call, operations), ...step })) };
      });
    })
    .sort((one, other) => one.event.localeCompare(other.event));
}

function placeOf(module: string, event: string, call: string, operations: ReadonlyMap<string, Route>): PublishedStep {
  const route = operations.get(call);
  if (route) return { method: route.method, path: route.path };
  const names = [...operations.keys()];
  throw new Error(`${module}: the trigger of ${event} calls ${call}, which is no keyed operation of it${suggestion(call, names)}`);
}
