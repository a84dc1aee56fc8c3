import type { DomainModuleOptions } from '../../../kit/index.js';
import { FollowZones } from './follow-zones.scheduled-job.js';

/** `zone-changes/`: moves future events when the rules of a time zone change. */
export const ZONE_CHANGES = { scheduledJobs: [FollowZones] } satisfies Partial<DomainModuleOptions>;
