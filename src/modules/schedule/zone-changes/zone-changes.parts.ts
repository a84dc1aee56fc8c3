import type { DomainModuleOptions } from '../../../kit/index.js';
import { FollowZones } from './follow-zones.scheduled-job.js';

/** `zone-changes/`: what happens to planned events when a country changes its clocks. */
export const ZONE_CHANGES = { scheduledJobs: [FollowZones] } satisfies Partial<DomainModuleOptions>;
