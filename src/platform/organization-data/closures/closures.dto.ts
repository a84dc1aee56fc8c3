import { Field } from '../../../kit/index.js';
import type { Closure } from './closures.service.js';

/** The request body to delete the organization. */
export class CloseOrganizationDto {
  @Field.string({
    description: 'Name of the organization, to confirm what is deleted.',
    example: 'Acme GmbH',
  })
  organization_name: string;
}

/** An organization that is being deleted. */
export class OrganizationClosureDto {
  @Field.constant('organization_closure')
  object: string;

  @Field.dateTime({
    description: 'When its keys, sessions, links and work stopped, UTC.',
    example: '2026-11-21T09:30:00.000Z',
  })
  closed_at: string;

  @Field.dateTime({
    description: 'When its data is erased, UTC. Until then an operator of the installation can open it again.',
    example: '2026-12-21T09:30:00.000Z',
  })
  erase_at: string;

  static from(this: void, { closed_at, erase_at }: Closure): OrganizationClosureDto {
    return { object: 'organization_closure', closed_at: closed_at.toISOString(), erase_at: erase_at.toISOString() };
  }
}
