import { Body, Controller, Post } from '@nestjs/common';
import { Ctx, Endpoint } from '../../../kit/index.js';
import { ErasePersonDto, PersonErasureDto } from './person-erasures.dto.js';
import { PersonErasures } from './person-erasures.js';

@Controller('api/v1/org/person-erasures')
export class PeopleErasureController {
  constructor(private readonly erasures: PersonErasures) {}

  @Post()
  @Endpoint({
    operation: 'erase_person',
    summary: 'Erase what is stored about a person',
    description:
      'Looks for the person with the address in all modules, in both modes. Their data is deleted or replaced permanently, and events ' +
      'and mails about them are deleted. What must stay is reported with the reason. Receivers of webhooks have to be told separately.',
    permission: 'org.people.erase',
    confirmation: true,
    returns: PersonErasureDto,
    destructive: true,
  })
  async erase(@Ctx() ctx: Ctx, @Body() { email, dry_run }: ErasePersonDto): Promise<PersonErasureDto> {
    return PersonErasureDto.from(await this.erasures.erase(ctx, email, dry_run ?? false));
  }
}
