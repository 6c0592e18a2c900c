import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { Admin, Resource } from 'react-admin';
import { createDataProvider } from './data-provider';
import { PostCreate, PostEdit, PostList } from './posts';

const dataProvider = createDataProvider({
  url: import.meta.env['VITE_ROWHOUSE_URL'],
  apiKey: import.meta.env['VITE_ROWHOUSE_KEY'],
  primaryKeys: { post_tags: ['post_id', 'tag_id'] },
});

createRoot(document.getElementById('root') as HTMLElement).render(
  <StrictMode>
    <Admin dataProvider={dataProvider} disableTelemetry>
      <Resource
        name="posts"
        list={PostList}
        edit={PostEdit}
        create={PostCreate}
        recordRepresentation="title"
      />
      <Resource name="users" recordRepresentation="username" />
    </Admin>
  </StrictMode>,
);
