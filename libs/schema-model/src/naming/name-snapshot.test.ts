import { describe, expect, it } from 'vitest';
import { compileSnapshot } from '../compile/compile-snapshot.js';
import type { CompiledTable } from '../compile/compiled-snapshot.js';
import { findCreatedColumn } from './find-created-column.js';
import { nameSnapshot } from './name-snapshot.js';
import type { RawTable } from '../raw-schema.js';
import { EXAMPLE_SCHEMA, foreignKey, rawColumn, rawTable, uniqueIndex } from '../testing/index.js';
import type { Snapshot } from '../types.js';

function name(tables: readonly RawTable[], predecessor: Snapshot | null = null): Snapshot {
  return nameSnapshot({ engine: 'mariadb', tables }, predecessor);
}

function codePathsOf(snapshot: Snapshot, table: string): string[] {
  return (
    snapshot.tables
      .find((entry) => entry.name === table)
      ?.relationships.map((codePath) => `${codePath.name}:${codePath.kind}:${codePath.table}`) ?? []
  );
}

function pathsOf(snapshot: Snapshot): Record<string, string> {
  return Object.fromEntries(snapshot.tables.map((table) => [table.name, table.path]));
}

const id = rawColumn('id', 'int(11)', { autoIncrement: true });
const numbered = (table: string, ...columns: string[]): RawTable =>
  rawTable(table, [id, ...columns.map((column) => rawColumn(column, 'int(11)'))]);

describe('relationships of the example schema', () => {
  const snapshot = nameSnapshot(EXAMPLE_SCHEMA, null);

  it('the relationships of the example schema have their documented names', () => {
    expect(codePathsOf(snapshot, 'posts')).toEqual([
      'comments:to_many:comments',
      'tags:many_to_many:tags',
      'user:to_one:users',
    ]);
    expect(codePathsOf(snapshot, 'users')).toEqual(['comments:to_many:comments', 'posts:to_many:posts']);
    expect(codePathsOf(snapshot, 'comments')).toEqual(['post:to_one:posts', 'user:to_one:users']);
    expect(codePathsOf(snapshot, 'tags')).toEqual(['posts:many_to_many:posts']);
    expect(codePathsOf(snapshot, 'post_tags')).toEqual(['post:to_one:posts', 'tag:to_one:tags']);
  });

  it('the tables of the example schema have kebab-case paths, row keys and email columns', () => {
    expect(pathsOf(snapshot)).toEqual({
      comments: 'comments',
      post_tags: 'post-tags',
      posts: 'posts',
      tags: 'tags',
      users: 'users',
    });
    expect(snapshot.tables.find((table) => table.name === 'post_tags')?.rowKey).toEqual([
      'post_id',
      'tag_id',
    ]);
    const users = snapshot.tables.find((table) => table.name === 'users');
    expect(users?.columns.find((column) => column.name === 'email')?.format).toBe('email');
  });
});

describe('JSON that an engine stores as text', () => {
  it("MariaDB's JSON columns are recognized by their check, whatever its name", () => {
    const odd = rawTable('odd', [id, rawColumn('tick`ed', 'longtext'), rawColumn('plain', 'longtext')], {
      checks: [{ name: 'tick`ed', clause: 'json_valid(`tick``ed`)', definition: '' }],
    });
    expect(name([odd]).tables[0]?.columns.map((column) => column.valueKind)).toEqual([
      'integer',
      'json',
      'string',
    ]);
  });
});

describe('names of relationships', () => {
  it('two relationships that claim the same name get their long forms', () => {
    const posts = rawTable('posts', [id, rawColumn('author_id', 'int'), rawColumn('editor_id', 'int')], {
      foreignKeys: [foreignKey('posts', 'author_id', 'users'), foreignKey('posts', 'editor_id', 'users')],
    });
    const snapshot = name([numbered('users'), posts]);
    expect(codePathsOf(snapshot, 'users')).toEqual([
      'posts_by_author_id:to_many:posts',
      'posts_by_editor_id:to_many:posts',
    ]);
    expect(codePathsOf(snapshot, 'posts')).toEqual(['author:to_one:users', 'editor:to_one:users']);
  });

  it.each([
    ['Album', 'ArtistId', 'Artist', 'Artist'],
    ['Album', 'artistId', 'Artist', 'artist'],
    ['albums', 'artistID', 'artists', 'artist'],
    ['albums', 'fk_artist', 'artists', 'artist'],
    ['albums', 'artist_fk', 'artists', 'artist'],
    ['albums', 'idArtist', 'artists', 'artist'],
    ['albums', 'id_artist', 'artists', 'artist'],
    ['ALBUMS', 'ARTIST_ID', 'ARTISTS', 'ARTIST'],
    ['albums', 'fkArtistId', 'artists', 'artist'],
    ['albums', 'by', 'artists', 'artist'],
    ['OrderLine', 'OrderNo', 'Orders', 'Order'],
    ['cells', 'category', 'categories', 'categories_by_category'],
    ['albums', 'paid', 'payments', 'payment'],
    ['albums', 'grid', 'grids', 'grids_by_grid'],
  ])('the foreign key %s.%s to %s gives the relationship name %s', (table, column, target, expected) => {
    const child = rawTable(table, [id, rawColumn(column, 'int')], {
      foreignKeys: [foreignKey(table, column, target)],
    });
    expect(codePathsOf(name([numbered(target), child]), table)).toEqual([`${expected}:to_one:${target}`]);
  });

  it('a published relationship keeps its short or long name in later schema versions', () => {
    const album = rawTable('Album', [id, rawColumn('ArtistId', 'int')], {
      foreignKeys: [foreignKey('Album', 'ArtistId', 'Artist')],
    });
    const first = name([numbered('Artist'), album]);
    const old = {
      ...first,
      tables: first.tables.map((table) => ({
        ...table,
        relationships: table.relationships.map((codePath) =>
          codePath.name === 'Artist' ? { ...codePath, name: 'Artist_by_ArtistId' } : codePath,
        ),
      })),
    };
    expect(codePathsOf(name([numbered('Artist'), album], old), 'Album')).toEqual([
      'Artist_by_ArtistId:to_one:Artist',
    ]);
  });

  it('a relationship whose short name equals a column gets its long name', () => {
    const posts = rawTable(
      'posts',
      [id, rawColumn('author', 'int'), rawColumn('tag', 'int'), rawColumn('tag_id', 'int')],
      {
        foreignKeys: [foreignKey('posts', 'author', 'users'), foreignKey('posts', 'tag_id', 'tags')],
      },
    );
    expect(codePathsOf(name([numbered('users'), numbered('tags'), posts]), 'posts')).toEqual([
      'tags_by_tag_id:to_one:tags',
      'user:to_one:users',
    ]);
  });

  it('a relationship keeps its API name when a new relationship claims it too', () => {
    const item = rawTable('posts', [id, rawColumn('author_id', 'int'), rawColumn('editor_id', 'int')], {
      foreignKeys: [foreignKey('posts', 'author_id', 'users')],
    });
    const first = name([numbered('users'), item]);
    expect(codePathsOf(first, 'users')).toEqual(['posts:to_many:posts']);
    const both = {
      ...item,
      foreignKeys: [foreignKey('posts', 'author_id', 'users'), foreignKey('posts', 'editor_id', 'users')],
    };
    const second = name([numbered('users'), both], first);
    expect(codePathsOf(second, 'users')).toEqual(['posts:to_many:posts', 'posts_by_editor_id:to_many:posts']);
  });

  it('a relationship keeps its API name when its constraint or a column is renamed', () => {
    const posts = rawTable('posts', [id, rawColumn('user_id', 'int')], {
      foreignKeys: [foreignKey('posts', 'user_id', 'users')],
    });
    const first = name([numbered('users'), posts]);
    const changed = rawTable('posts', [id, rawColumn('user_id', 'int'), rawColumn('user', 'int')], {
      foreignKeys: [{ ...foreignKey('posts', 'user_id', 'users'), name: 'another' }],
    });
    expect(codePathsOf(name([numbered('users'), changed], first), 'posts')).toEqual(['user:to_one:users']);
  });

  it('the two directions of a many-to-many link from a table to itself have different names', () => {
    const follows = rawTable('follows', [rawColumn('follower_id', 'int'), rawColumn('followee_id', 'int')], {
      primaryKey: ['follower_id', 'followee_id'],
      foreignKeys: [
        foreignKey('follows', 'follower_id', 'users'),
        foreignKey('follows', 'followee_id', 'users'),
      ],
    });
    expect(codePathsOf(name([numbered('users'), follows]), 'users')).toEqual([
      'users_via_follows_by_followee_id:many_to_many:users',
      'users_via_follows_by_follower_id:many_to_many:users',
    ]);
  });

  it('a link table is recognized by a unique key', () => {
    const items = rawTable(
      'order_items',
      [id, rawColumn('order_id', 'int'), rawColumn('product_id', 'int'), rawColumn('quantity', 'int')],
      {
        indexes: [uniqueIndex('once', ['product_id', 'order_id'])],
        foreignKeys: [
          foreignKey('order_items', 'order_id', 'orders'),
          foreignKey('order_items', 'product_id', 'products'),
        ],
      },
    );
    const snapshot = name([numbered('orders'), numbered('products'), items]);
    expect(codePathsOf(snapshot, 'orders')).toEqual([
      'order_items:to_many:order_items',
      'products:many_to_many:products',
    ]);
  });

  it('a self-referencing key gives a relationship in both directions', () => {
    const nodes = rawTable('nodes', [id, rawColumn('parent_id', 'int', { nullable: true })], {
      foreignKeys: [foreignKey('nodes', 'parent_id', 'nodes')],
    });
    expect(codePathsOf(name([nodes]), 'nodes')).toEqual(['nodes:to_many:nodes', 'parent:to_one:nodes']);
  });

  it('a foreign key to a missing table gives no relationship', () => {
    const posts = rawTable('posts', [id, rawColumn('user_id', 'int')], {
      foreignKeys: [foreignKey('posts', 'user_id', 'gone')],
    });
    expect(codePathsOf(name([posts]), 'posts')).toEqual([]);
  });
});

describe('created_after', () => {
  const dated = (...names: string[]): ReturnType<typeof rawTable> =>
    rawTable('orders', [id, ...names.map((column) => rawColumn(column, 'datetime'))]);
  const columnOf = (snapshot: Snapshot): string | undefined =>
    findCreatedColumn(
      compileSnapshot(snapshot, 1, { tables: null, verbs: ['read'], hiddenColumns: {} }).findByName(
        'orders',
      ) as CompiledTable,
    )?.name;

  it('created_after uses created_at, or else date_created, if it is a date', () => {
    expect(
      [
        dated('created_at', 'date_created'),
        dated('date_created'),
        dated('made'),
        rawTable('orders', [id, rawColumn('created_at', 'int')]),
      ].map((table) => columnOf(name([table]))),
    ).toEqual(['created_at', 'date_created', undefined, undefined]);
  });

  it('created_after keeps its column as long as the column exists', () => {
    const first = name([dated('date_created')]);
    const second = name([dated('date_created', 'created_at')], first);
    const third = name([dated('created_at', 'date_created')], second);
    expect([first, second, third, name([dated('created_at')], third)].map(columnOf)).toEqual([
      'date_created',
      'date_created',
      'date_created',
      'created_at',
    ]);
    expect(first.tables[0]).not.toHaveProperty('createdColumn');
  });
});

describe('paths', () => {
  it('tables with reserved or ambiguous names get long paths', () => {
    expect(
      pathsOf(name([numbered('query'), numbered('open_api'), numbered('post_tags'), numbered('post-tags')])),
    ).toEqual({
      query: '_tables/query',
      open_api: 'open-api',
      post_tags: '_tables/post_tags',
      'post-tags': '_tables/post-tags',
    });
  });

  it('a table path has hyphens for characters that a URL escapes, if that path is free', () => {
    const names = [
      'odd table',
      'per%cent',
      '{id}',
      "it's",
      'Größe',
      '名前',
      'a.b',
      'user roles',
      'user_roles',
      'x?y',
      'x#y',
    ];
    expect(pathsOf(name(names.map((item) => numbered(item))))).toEqual({
      'odd table': 'odd-table',
      'per%cent': 'per-cent',
      '{id}': '-id-',
      "it's": 'it-s',
      Größe: 'Größe',
      名前: '名前',
      'a.b': 'a.b',
      user_roles: 'user-roles',
      'user roles': 'user roles',
      'x?y': 'x?y',
      'x#y': 'x#y',
    });
  });

  it('a table keeps its published path in later schema versions', () => {
    const first = name([numbered('post_tags')]);
    expect(pathsOf(name([numbered('post_tags'), numbered('post-tags')], first))).toEqual({
      post_tags: 'post-tags',
      'post-tags': '_tables/post-tags',
    });
  });

  it('a new table path never equals the exact name of another table', () => {
    const first = name([numbered('a_b'), numbered('a-b')]);
    const without = name([numbered('a-b')], first);
    expect(pathsOf(name([numbered('a-b'), numbered('a_b')], without))).toEqual({
      'a-b': '_tables/a-b',
      a_b: '_tables/a_b',
    });
  });
});
