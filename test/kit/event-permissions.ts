import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { ALL_PERMISSIONS } from '../../src/platform/people/model/permissions.js';
import { ModuleRegistry } from '../../src/platform/registry/module-registry.js';

/** For `TestApp.inside`: the events whose content requires a permission that does not exist. */
export function eventsOfUnknownPermission(app: NestFastifyApplication): string[] {
  const known: readonly (string | null)[] = [...ALL_PERMISSIONS, null];
  const events = app.get(ModuleRegistry).events();
  return events.filter(({ definition }) => !known.includes(definition.permission)).map(({ definition }) => definition.name);
}
