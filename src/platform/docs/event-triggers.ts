import type { Type } from '@nestjs/common';
import type { TriggerStep } from '../../kit/index.js';
import { scheduledJobOf, type ScheduledJobOptions } from '../../kit/internal.js';
import type { ModuleRegistry } from '../registry/module-registry.js';
import { suggestion } from '../registry/near-matches.js';
import type { Route } from '../registry/route-registry.js';

/** A call as it is made: what `work-suite trigger` reads. */
interface PublishedCall extends Omit<TriggerStep, 'call'> {
  method: string;
  path: string;
  /** Whether a member calls it, not a key. */
  by?: 'member';
}

type PublishedStep = PublishedCall | Pick<ScheduledJobOptions, 'name' | 'everySeconds'>;

interface PublishedTrigger {
  event: string;
  module: string;
  /** Webhooks do not get it. */
  internal?: true;
  steps: PublishedStep[];
}

/** The triggers of all modules, for `/triggers.json`. Throws if one names an event, operation or job that its module lacks. */
export function eventTriggers({ manifests }: ModuleRegistry, routes: readonly Route[]): PublishedTrigger[] {
  return manifests
    .flatMap(({ name, events = {}, triggers = {}, scheduledJobs = [] }) => {
      const types = Object.values(events).map((event) => event.name);
      const internal = new Set(Object.values(events).flatMap((event) => (event.internal ? [event.name] : [])));
      const own = routes.filter(({ module, plane }) => module === name && plane !== 'public');
      const operations = new Map(own.flatMap((route) => (route.endpoint ? [[route.endpoint.operation, route]] : [])));
      return Object.entries(triggers).map(([event, steps]) => {
        if (!types.includes(event)) throw new Error(`${name}: triggers names ${event}, which is no event of it${suggestion(event, types)}`);
        const at = `${name}: the trigger of ${event}`;
        const published = steps.map((step): PublishedStep => {
          if ('job' in step) return jobOf(at, step.job, scheduledJobs);
          const { call, ...rest } = step;
          return { ...placeOf(at, call, operations), ...rest };
        });
        return { event, module: name, ...(internal.has(event) && { internal: true as const }), steps: published };
      });
    })
    .sort((one, other) => one.event.localeCompare(other.event));
}

function placeOf(at: string, call: string, operations: ReadonlyMap<string, Route>): PublishedCall {
  const route = operations.get(call);
  if (route) return { method: route.method, path: route.path, ...(route.plane === 'product' && { by: 'member' }) };
  throw new Error(`${at} calls ${call}, which is no operation of it${suggestion(call, [...operations.keys()])}`);
}

function jobOf(at: string, wanted: string, handlers: readonly Type[]): PublishedStep {
  const jobs = handlers.map(scheduledJobOf);
  const job = jobs.find(({ name }) => name === wanted);
  const names = jobs.map(({ name }) => name);
  if (!job) throw new Error(`${at} waits for ${wanted}, which is no scheduled job of it${suggestion(wanted, names)}`);
  return { name: job.name, everySeconds: job.everySeconds };
}
