import type { EventTypeDto } from '../../platform/webhooks/endpoints/webhook-endpoints.dto.js';

/** The path of the page that shows the type of `?type=`. */
export const EVENT_TYPES = '/events/types';

/** The types by the title of their module; those of the platform last. */
export function groupsOf(types: readonly EventTypeDto[]): { label: string; types: EventTypeDto[] }[] {
  const modules = [...new Set(types.map(({ module }) => module))].sort((one, other) => (one ?? '\uffff').localeCompare(other ?? '\uffff'));
  return modules.map((module) => ({ label: titleOf(module), types: types.filter((type) => type.module === module) }));
}

function titleOf(module: string | null): string {
  if (module === null) return 'This suite';
  if (module.length <= 3) return module.toUpperCase();
  return module.charAt(0).toUpperCase() + module.slice(1).replaceAll('_', ' ');
}
