import { event } from '../../../kit/index.js';
import { DealDto, WonDealDto } from './deals.dto.js';

/** One change of a deal is one event: a move to another stage is `deal.stage_changed` whatever else changed with it. */
export const DealEvents = {
  dealCreated: event({ name: 'deal.created', description: 'A deal was created.', payload: DealDto }),
  dealUpdated: event({ name: 'deal.updated', description: 'A deal was changed and kept its stage.', payload: DealDto }),
  dealStageChanged: event({
    name: 'deal.stage_changed',
    description: 'A deal was moved to another stage, maybe changed otherwise too; it is won or lost when the kind of the stage says so.',
    payload: DealDto,
    context: { from: 'The stage before: id and kind.', to: 'The stage now: id and kind.' },
  }),
  /** Beside the public event of the same change; drives generation triggers. */
  dealWon: event({
    name: 'deal.won',
    description: 'A deal was won; again when it is reopened and won once more.',
    payload: WonDealDto,
    internal: true,
  }),
};
