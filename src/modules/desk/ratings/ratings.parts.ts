import type { DomainModuleOptions } from '../../../kit/index.js';
import { AskForRatings } from './ask-for-ratings.scheduled-job.js';
import { RatingsController } from './ratings.controller.js';
import { Ratings } from './ratings.service.js';

/** `ratings/`: requesters say how good the help was. */
export const RATINGS = {
  controllers: [RatingsController],
  providers: [Ratings],
  scheduledJobs: [AskForRatings],
} satisfies Partial<DomainModuleOptions>;
