import '@inlay/elements/define';
