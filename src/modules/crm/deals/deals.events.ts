import { event } from '../../../kit/index.js';
import { DealDto } from './deal.dto.js';
import { WonDealDto } from './won-deal.dto.js';

const permission = 'crm.deal.view';
const scope = 'crm:deal:write';

/** One change of a deal emits one event: `deal.stage_changed` when the stage changed, whatever else changed with it. */
export const DealEvents = {
  dealCreated: event({ name: 'deal.created', description: 'A deal was created.', permission, scope, payload: DealDto }),
  dealUpdated: event({ name: 'deal.updated', description: 'A deal was changed but kept its stage.', permission, scope, payload: DealDto }),
  dealStageChanged: event({
    name: 'deal.stage_changed',
    description: 'A deal moved to another stage; other fields may have changed too. The kind of the stage shows whether it is won or lost.',
    permission,
    scope,
    payload: DealDto,
    context: { from: 'The stage before: id and kind.', to: 'The stage now: id and kind.' },
  }),
  /** Emitted in addition to the public event of the same change; starts generation triggers. */
  dealWon: event({
    name: 'deal.won',
    description: 'A deal was won; again when it is reopened and won once more.',
    permission,
    scope,
    payload: WonDealDto,
    internal: true,
  }),
};
