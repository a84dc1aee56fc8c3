import { DomainModule } from '../../kit/index.js';
import { DEVELOPER } from '../keys/scope-catalog.js';
import { DeveloperController } from './developer.controller.js';
import { DEVELOPER_GUIDE } from './developer.guide.js';
import { DeveloperService } from './developer.service.js';

const permission = 'org.developer.webhooks.manage';

/** Events and webhook endpoints for keys. Part of every suite; its keys read the events of all modules. */
@DomainModule({
  name: DEVELOPER,
  title: 'Developer',
  guide: DEVELOPER_GUIDE,
  scopes: {
    'developer:event:read': 'Read the events of all modules',
    'developer:endpoint:read': 'Read webhook endpoints and their deliveries',
    'developer:endpoint:write': 'Set up webhook endpoints, to which events are sent',
  },
  scopePermissions: {
    'developer:event:read': permission,
    'developer:endpoint:read': permission,
    'developer:endpoint:write': permission,
  },
  entities: [],
  controllers: [DeveloperController],
  providers: [DeveloperService],
})
export class DeveloperModule {}
