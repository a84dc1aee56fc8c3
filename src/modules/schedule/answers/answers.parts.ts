import type { DomainModuleOptions } from '../../../kit/index.js';
import { AnswersController } from './answers.controller.js';
import { Answers } from './answers.service.js';

/** `answers/`: the page on which invitees and guests of bookings answer. */
export const ANSWERS = {
  controllers: [AnswersController],
  providers: [Answers],
} satisfies Partial<DomainModuleOptions>;
