import { ActionIcon, Button, type ActionIconProps, type ButtonProps } from '@mantine/core';
import { createLink } from '@tanstack/react-router';
import type { AnchorHTMLAttributes, Ref } from 'react';

type AnchorAttributes = Omit<AnchorHTMLAttributes<HTMLAnchorElement>, keyof ButtonProps | 'color'> & {
  ref?: Ref<HTMLAnchorElement>;
};

/** A link that looks like a button. It navigates, so it is an `<a>`. */
export const ButtonLink = createLink(function ButtonAnchor(props: ButtonProps & AnchorAttributes) {
  return <Button component="a" {...props} />;
});

export const IconLink = createLink(function IconAnchor(
  props: ActionIconProps &
    Omit<AnchorHTMLAttributes<HTMLAnchorElement>, keyof ActionIconProps | 'color'> & {
      ref?: Ref<HTMLAnchorElement>;
    },
) {
  return <ActionIcon component="a" {...props} />;
});
