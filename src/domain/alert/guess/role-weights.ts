import type { FieldRole } from '#contracts/alert-reading.ts'

/*
 * How much each feature of a field (`featuresOf`) speaks for each role, fitted by
 * `scripts/fit-reading.ts`.
 * Do not edit it by hand.
 */
type Table = Record<FieldRole, ReadonlyMap<string, number>>

function tableOf(lists: Readonly<Record<FieldRole, string>>): Table {
  const read = (list: string) =>
    new Map(
      list
        .trim()
        .split(/\s+/)
        .map(pair => {
          const at = pair.lastIndexOf('=')
          return [pair.slice(0, at), Number(pair.slice(at + 1))] as const
        }),
    )
  const { thing, state, reason, severity } = lists
  return { thing: read(thing), state: read(state), reason: read(reason), severity: read(severity) }
}

export const ROLE_WEIGHTS = tableOf({
  thing: `
    k:alertname=3.7 u:site=3.1 k:checkname=3 k:serviceid=2.6 n:hostname=2.5 n:rule=2.4
    k:alarmname=2.2 k:friendlyname=2.2 k:servicename=2.2 k:conditionname=2.1 k:displayname=2.1
    k:key=2.1 u:repository=2 k:service=1.9 n:name=1.9 u:check=1.8 n:namespace=1.7 n:task=1.7
    k:alert=1.6 n:alert=1.6 k:slug=1.5 k:path=1.4 u:condition=1.3 u:alert=1.2 k:sensor=1.1
    n:container=1.1 n:sensor=1.1 u:resources=1.1 u:body=1 u:service=1 k:name=0.9 k:title=0.9
    n:job=0.9 n:unit=0.9 u:content=0.9 k:alarm=0.8 k:image=0.8 k:repository=0.8 n:alarm=0.8
    n:class=0.8 n:image=0.8 n:service=0.8 u:object=0.8 k:host=0.7 k:policyname=0.7 k:subject=0.7
    n:subject=0.7 u:attributes=0.7 v:address=0.7 k:kind=0.6 k:site=0.6 k:topic=0.6 n:host=0.6
    n:repository=0.6 n:slug=0.6 n:title=0.6 n:topic=0.6 k:category=0.5 k:zone=0.5 n:zone=0.5
    past=0.5 k:tags=0.4 n:tags=0.4 u:deployment=0.4 u:project=0.4 k:group=-0.4 k:jobid=-0.4
    k:summary=-0.4 base=-0.5 k:applicationname=-0.5 k:filename=-0.5 k:id=-0.5 k:job=-0.5
    k:monitorid=-0.5 k:number=-0.5 k:source=-0.5 k:tag=-0.5 k:task=-0.5 k:totalrunningtime=-0.5
    k:weight=-0.5 n:result=-0.5 n:tag=-0.5 n:weight=-0.5 u:blocks=-0.5 k:alerttype=-0.6
    k:branch=-0.6 k:content=-0.6 k:contenttype=-0.6 k:details=-0.6 k:duration=-0.6 k:fallback=-0.6
    k:message=-0.6 k:priority=-0.6 k:resourcename=-0.6 k:target=-0.6 k:team=-0.6 k:time=-0.6
    k:to=-0.6 line=-0.6 n:controller=-0.6 n:fallback=-0.6 n:priority=-0.6 n:source=-0.6 n:team=-0.6
    u:fields=-0.6 k:channel=-0.7 k:code=-0.7 k:date=-0.7 k:hostname=-0.7 k:info=-0.7 k:msgtype=-0.7
    k:origin=-0.7 k:severity=-0.7 k:timestamp=-0.7 k:topicarn=-0.7 k:uuid=-0.7 n:channel=-0.7
    n:email=-0.7 n:group=-0.7 n:key=-0.7 n:origin=-0.7 n:stage=-0.7 n:summary=-0.7 n:to=-0.7
    u:payload=-0.7 u:text=-0.7 k:active=-0.8 k:mimetype=-0.8 k:operator=-0.8 k:project=-0.8
    k:reason=-0.8 k:resourcetype=-0.8 k:type=-0.8 k:user=-0.8 k:version=-0.8 n:active=-0.8
    n:description=-0.8 n:kind=-0.8 n:message=-0.8 n:project=-0.8 n:secret=-0.8 n:server=-0.8
    n:type=-0.8 n:user=-0.8 k:cause=-0.9 k:environment=-0.9 k:errors=-0.9 k:location=-0.9
    k:model=-0.9 k:trigger=-0.9 n:cause=-0.9 n:content=-0.9 n:environment=-0.9 n:errors=-0.9
    n:mode=-0.9 n:number=-0.9 n:operator=-0.9 n:status=-0.9 n:string=-0.9 n:timestamp=-0.9
    n:trigger=-0.9 u:workflow=-0.9 v:sentence=-0.9 d:2=-1 d:4=-1 k:entityid=-1 k:output=-1 n:info=-1
    n:version=-1 k:action=-1.1 k:color=-1.1 k:msg=-1.1 n:arn=-1.1 n:at=-1.1 n:code=-1.1
    n:filename=-1.1 n:impact=-1.1 n:operation=-1.1 u:meta=-1.1 d:3=-1.2 k:body=-1.2 k:error=-1.2
    k:state=-1.2 k:token=-1.2 n:action=-1.2 n:body=-1.2 n:domain=-1.2 n:link=-1.2 n:location=-1.2
    n:size=-1.2 n:token=-1.2 n:url=-1.2 n:uuid=-1.2 v:mail=-1.2 k:eventname=-1.3 k:text=-1.3
    later=-1.3 n:branch=-1.3 n:color=-1.3 n:date=-1.3 n:model=-1.3 n:state=-1.3 u:error=-1.3
    u:result=-1.3 u:trigger=-1.3 k:metricname=-1.4 k:namespace=-1.4 k:notificationtype=-1.4
    n:details=-1.4 n:error=-1.4 n:id=-1.4 n:text=-1.4 k:description=-1.5 k:url=-1.5 n:msg=-1.5
    n:target=-1.5 u:message=-1.5 u:metadata=-1.5 n:time=-1.6 u:actions=-1.6 u:embeds=-1.6
    k:eventtype=-1.8 n:duration=-1.8 n:reason=-1.8 n:username=-1.8 v:long=-1.8 u:user=-1.9 v:id=-1.9
    v:link=-1.9 v:measure=-1.9 k:username=-2 n:output=-2 k:devicename=-2.1 v:date=-2.1 u:actor=-2.4
    u:source=-2.5 u:account=-2.6 v:number=-2.6 v:empty=-2.7 u:run=-2.9 v:flag=-3 v:state=-4.3
  `,
  state: `
    v:state=4.3 n:result=1.9 k:newstatus=1.3 k:notificationtype=1.3 k:alerttype=0.8
    k:conditionname=0.8 k:event=0.6 k:policyname=0.6 k:state=0.6 k:status=0.6 k:eventtype=0.5
    u:error=0.5 u:fields=0.5 n:event=0.4 n:group=0.4 k:alias=-0.4 k:cause=-0.4 k:label=-0.4
    k:resourcetype=-0.4 k:token=-0.4 n:alias=-0.4 n:cause=-0.4 n:class=-0.4 n:container=-0.4
    n:label=-0.4 n:number=-0.4 n:token=-0.4 n:uuid=-0.4 u:actor=-0.4 u:service=-0.4 v:words=-0.4
    k:color=-0.5 k:environment=-0.5 k:error=-0.5 k:namespace=-0.5 k:service=-0.5 k:timestamp=-0.5
    k:url=-0.5 n:branch=-0.5 n:date=-0.5 n:environment=-0.5 n:location=-0.5 n:target=-0.5
    u:condition=-0.5 u:meta=-0.5 k:device=-0.6 k:host=-0.6 k:job=-0.6 later=-0.6 n:color=-0.6
    n:details=-0.6 n:device=-0.6 n:email=-0.6 n:error=-0.6 n:host=-0.6 n:hostname=-0.6 n:job=-0.6
    n:link=-0.6 n:path=-0.6 n:service=-0.6 n:timestamp=-0.6 u:alert=-0.6 u:data=-0.6 d:1=-0.7
    k:hostname=-0.7 k:tag=-0.7 k:username=-0.7 n:duration=-0.7 n:name=-0.7 n:namespace=-0.7
    n:tag=-0.7 n:username=-0.7 u:=-0.7 u:blocks=-0.7 u:payload=-0.7 u:repository=-0.7 u:run=-0.7
    line=-0.8 n:time=-0.8 u:metadata=-0.8 u:source=-0.8 v:address=-0.8 u:state=-0.9 v:link=-0.9
    v:mail=-0.9 base=-1 k:body=-1 n:at=-1 n:key=-1 n:operation=-1 u:issue=-1 v:sentence=-1 v:word=-1
    k:name=-1.1 k:sensor=-1.1 n:sensor=-1.1 n:rule=-1.2 n:stage=-1.2 n:url=-1.2 u:object=-1.2
    d:4=-1.3 v:measure=-1.3 d:2=-1.4 d:3=-1.4 v:date=-1.4 v:id=-1.4 v:long=-1.4 u:incident=-1.5
    v:empty=-1.5 k:alertname=-1.6 n:string=-1.6 n:id=-1.7 v:flag=-1.7 k:level=-1.8 n:body=-1.8
    v:number=-1.8 n:impact=-1.9 k:priority=-2.1 n:priority=-2.1 k:severity=-2.3 n:severity=-2.5
    past=-2.8 n:level=-3.1
  `,
  reason: `
    n:details=3.3 k:devicename=3 n:branch=2.6 k:output=2.2 n:error=2.2 n:stage=2.1 k:cause=2
    k:username=2 n:cause=2 k:metricname=1.9 n:reason=1.9 n:msg=1.8 u:result=1.8 u:payload=1.7
    k:target=1.6 n:message=1.6 k:body=1.5 n:body=1.5 n:result=1.5 u:metadata=1.5 u:run=1.5
    n:text=1.4 u:service=1.4 k:resourcename=1.3 n:description=1.3 k:repository=1.2 u:workflow=1.2
    k:env=1.1 k:eventname=1.1 k:message=1.1 k:serviceid=1.1 n:env=1.1 k:jobid=1 n:output=1
    k:component=0.9 k:content=0.9 k:error=0.9 k:label=0.9 k:resourcetype=0.9 n:component=0.9
    n:device=0.9 n:label=0.9 k:text=0.8 k:waterleak=0.8 k:zone=0.8 line=0.8 n:leak=0.8 n:zone=0.8
    k:category=0.7 k:info=0.7 n:kind=0.7 n:snapshot=0.7 u:check=0.7 k:sensor=0.6 n:content=0.6
    n:repository=0.6 n:sensor=0.6 n:summary=0.6 u:incident=0.6 k:result=0.5 n:severity=0.5
    n:target=0.5 u:message=0.5 v:sentence=0.5 k:msg=0.4 n:category=0.4 n:entity=0.4 v:words=0.4
    base=-0.4 k:code=-0.4 k:priority=-0.4 k:team=-0.4 k:topicarn=-0.4 n:ip=-0.4 n:priority=-0.4
    n:team=-0.4 n:usage=-0.4 u:state=-0.4 k:alertid=-0.5 k:alertmessage=-0.5 k:channel=-0.5
    k:duration=-0.5 k:hostname=-0.5 k:image=-0.5 k:key=-0.5 k:operator=-0.5 k:tag=-0.5 k:time=-0.5
    k:token=-0.5 k:ts=-0.5 k:type=-0.5 k:url=-0.5 later=-0.5 n:channel=-0.5 n:controller=-0.5
    n:count=-0.5 n:files=-0.5 n:image=-0.5 n:name=-0.5 n:operator=-0.5 n:tag=-0.5 n:token=-0.5
    n:ts=-0.5 n:type=-0.5 n:unit=-0.5 u:alert=-0.5 u:project=-0.5 u:resources=-0.5 d:1=-0.6 d:2=-0.6
    k:alarm=-0.6 k:alert=-0.6 k:applicationname=-0.6 k:event=-0.6 k:group=-0.6 k:id=-0.6
    k:mimetype=-0.6 k:to=-0.6 k:trigger=-0.6 n:alarm=-0.6 n:alert=-0.6 n:service=-0.6 n:trigger=-0.6
    u:=-0.6 k:address=-0.7 k:app=-0.7 k:checkid=-0.7 k:fallback=-0.7 k:name=-0.7 k:notes=-0.7
    k:notificationtype=-0.7 k:region=-0.7 k:short=-0.7 k:stage=-0.7 k:version=-0.7 n:app=-0.7
    n:code=-0.7 n:email=-0.7 n:fallback=-0.7 n:mode=-0.7 n:notes=-0.7 n:region=-0.7 n:short=-0.7
    n:size=-0.7 past=-0.7 u:attachments=-0.7 u:attributes=-0.7 u:condition=-0.7 u:event=-0.7
    k:active=-0.8 k:contenttype=-0.8 k:date=-0.8 k:entityid=-0.8 k:location=-0.8 k:origin=-0.8
    k:servername=-0.8 k:source=-0.8 k:timestamp=-0.8 k:uuid=-0.8 n:active=-0.8 n:address=-0.8
    n:class=-0.8 n:link=-0.8 n:origin=-0.8 n:source=-0.8 n:version=-0.8 u:blocks=-0.8 k:alias=-0.9
    k:color=-0.9 k:filename=-0.9 k:kind=-0.9 k:model=-0.9 k:rule=-0.9 k:site=-0.9 k:topic=-0.9
    n:alias=-0.9 n:secret=-0.9 n:site=-0.9 n:to=-0.9 n:topic=-0.9 n:uuid=-0.9 u:account=-0.9
    v:word=-0.9 d:4=-1 k:datetime=-1 n:color=-1 n:filename=-1 n:group=-1 n:id=-1 n:location=-1
    n:model=-1 n:operation=-1 n:url=-1 u:body=-1 u:trigger=-1 k:alertname=-1.1 k:friendlyname=-1.1
    k:project=-1.1 k:slug=-1.1 n:arn=-1.1 n:date=-1.1 n:domain=-1.1 n:impact=-1.1 n:ping=-1.1
    n:project=-1.1 n:timestamp=-1.1 u:actions=-1.1 u:meta=-1.1 k:displayname=-1.2 k:errors=-1.2
    k:eventtype=-1.2 k:path=-1.2 k:status=-1.2 k:tags=-1.2 n:container=-1.2 n:errors=-1.2
    n:tags=-1.2 n:threshold=-1.2 u:actor=-1.2 v:date=-1.2 k:checkname=-1.3 k:conditionname=-1.3
    k:namespace=-1.3 k:policyname=-1.3 u:object=-1.3 u:user=-1.3 n:number=-1.4 v:measure=-1.4
    n:at=-1.5 n:key=-1.5 n:hostname=-1.6 n:path=-1.6 n:status=-1.6 u:embeds=-1.6 v:id=-1.6
    n:namespace=-1.7 u:repository=-1.7 u:site=-1.7 v:link=-1.7 n:string=-1.8 u:content=-1.8
    v:mail=-1.8 n:rule=-1.9 n:time=-1.9 n:username=-1.9 u:source=-1.9 n:duration=-2 v:flag=-2.1
    v:long=-2.3 k:branch=-2.7 v:number=-2.8 v:empty=-3.4 v:state=-4
  `,
  severity: `
    n:level=4 n:impact=2.7 n:severity=2.5 k:severity=2.4 k:priority=2 n:priority=2 v:state=1.6
    k:level=1.2 u:incident=0.9 n:string=0.7 k:device=-0.4 k:hostname=-0.4 k:namespace=-0.4
    k:source=-0.4 k:trigger=-0.4 n:device=-0.4 n:email=-0.4 n:host=-0.4 n:source=-0.4 n:trigger=-0.4
    u:body=-0.4 u:check=-0.4 k:description=-0.5 k:id=-0.5 k:job=-0.5 k:result=-0.5 k:tags=-0.5
    n:group=-0.5 n:job=-0.5 n:key=-0.5 n:output=-0.5 n:rule=-0.5 n:stage=-0.5 n:tags=-0.5
    n:username=-0.5 u:attachments=-0.5 u:event=-0.5 u:source=-0.5 k:msg=-0.6 k:name=-0.6
    k:value=-0.6 n:msg=-0.6 n:namespace=-0.6 n:time=-0.6 past=-0.6 u:fields=-0.6 k:title=-0.7
    n:reason=-0.7 u:attributes=-0.7 u:object=-0.7 k:message=-0.8 k:notificationtype=-0.8 k:text=-0.8
    n:at=-0.8 n:text=-0.8 d:1=-0.9 k:event=-0.9 k:summary=-0.9 k:type=-0.9 n:event=-0.9
    n:summary=-0.9 n:title=-0.9 n:url=-0.9 n:value=-0.9 u:=-0.9 v:mail=-0.9 v:word=-0.9 k:action=-1
    k:state=-1 n:action=-1 n:description=-1 n:message=-1 n:result=-1 v:measure=-1 k:alertname=-1.1
    n:id=-1.1 v:address=-1.1 base=-1.2 d:3=-1.2 k:status=-1.2 v:id=-1.2 d:4=-1.3 u:run=-1.3
    v:date=-1.3 v:empty=-1.3 v:link=-1.3 line=-1.4 n:name=-1.4 n:type=-1.4 d:2=-1.5 v:flag=-1.5
    n:state=-1.6 n:status=-1.6 v:sentence=-1.6 v:words=-2.2 v:number=-4.6
  `,
})
