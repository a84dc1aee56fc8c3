import { DomainModule } from '../../../src/kit/index.js';
import { forgottenEvent, ForgottenTrip, Trips } from './forgotten.js';

const MANIFEST = { title: 'Things', guide: 'Things.', scopes: {}, entities: [], controllers: [], providers: [] };

/** Lists nothing of what its folder defines. */
@DomainModule({
  ...MANIFEST,
  name: 'forgetful',
})
export class ForgetfulModule {}

/** Does not list what one of its providers injects. */
@DomainModule({
  ...MANIFEST,
  name: 'hasty',
  entities: [ForgottenTrip],
  events: { forgottenEvent },
  providers: [Trips],
})
export class HastyModule {}
