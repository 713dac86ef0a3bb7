/*
 * How much each feature of a fact (`factFeatures`) says that it is worth telling. Fitted by
 * `scripts/fit-facts.ts`: do not edit it by hand.
 */
export const TOLD_WEIGHTS = `
  thing:0=2.6 v:sentence&msg=2.3 v:state&summary=2.1 e:monitorname=2 e:attachmentstitle=1.9
  e:checkname=1.9 e:rulename=1.7 v:words&msg=1.7 e:alarmname=1.6 e:incidentname=1.6 e:service=1.6
  k:rulename=1.6 k:service=1.6 k:alarmname=1.5 k:checkname=1.5 v:sentence&text=1.5 w:days=1.5
  w:impacted=1.5 e:fullname=1.4 e:pod=1.4 inother=1.4 k:fullname=1.4 k:pod=1.4 n:pod=1.4
  num&pipeline=1.4 v:sentence&name=1.4 v:words&device=1.4 w:workflow=1.4 e:cause=1.3
  e:devicename=1.3 k:cause=1.3 k:sourcename=1.3 n:remaining=1.3 num&payload=1.3 v:date&message=1.3
  v:sentence&info=1.3 v:state&subject=1.3 v:word&subject=1.3 v:words&output=1.3 w:attachments=1.3
  e:branchname=1.2 e:eventdescription=1.2 e:headbranch=1.2 e:incidenttitle=1.2 e:text=1.2
  k:eventdescription=1.2 k:headbranch=1.2 k:monitorname=1.2 v:address&message=1.2
  v:state&title=1.2 w:instance=1.2 e:channelname=1.1 e:reponame=1.1 e:sensor=1.1 k:channelname=1.1
  k:sensor=1.1 n:sensor=1.1 u:repo=1.1 v:sentence&details=1.1 v:sentence&reason=1.1
  v:word&hostname=1.1 v:word&state=1.1 w:pipeline=1.1 e:servername=1 e:target=1 e:zonename=1
  k:projectname=1 k:target=1 v:address&name=1 v:sentence&content=1 v:word&server=1
  v:words&duration=1 v:words&type=1 w:branch=1 w:commit=1 w:display=1 w:new=1 w:remote=1
  w:resources=1 e:alertname=0.9 e:buildnumber=0.9 e:commitmessage=0.9 e:devicetype=0.9 e:info=0.9
  e:instance=0.9 e:instancename=0.9 e:server=0.9 e:workflowid=0.9 k:commitmessage=0.9
  k:devicename=0.9 k:devicetype=0.9 k:info=0.9 k:instance=0.9 k:instancename=0.9 k:number=0.9
  k:room=0.9 n:body=0.9 n:error=0.9 n:room=0.9 n:title=0.9 v:date&ip=0.9 v:measure&value=0.9
  v:sentence&type=0.9 v:word&host=0.9 v:word&label=0.9 v:word&status=0.9 v:word&tags=0.9
  v:word&title=0.9 w:condition=0.9 w:host=0.9 e:attachmentstext=0.8 e:body=0.8 e:check=0.8
  e:fieldsvalue=0.8 e:pipelinename=0.8 e:repository=0.8 k:body=0.8 k:check=0.8 k:label=0.8
  k:repository=0.8 k:server=0.8 k:servername=0.8 n:alarm=0.8 n:branch=0.8 n:instance=0.8
  n:message=0.8 n:text=0.8 thing:1=0.8 u:service=0.8 v:number&code=0.8 v:word&branch=0.8
  v:word&severity=0.8 w:attributes=0.8 w:build=0.8 w:customer=0.8 w:events=0.8 w:order=0.8
  w:series=0.8 w:signature=0.8 e:alert=0.7 e:detail=0.7 e:key=0.7 e:message=0.7
  e:monitorstatus=0.7 e:site=0.7 e:summary=0.7 e:workflow=0.7 e:year=0.7 e:zone=0.7 k:alert=0.7
  k:detail=0.7 k:key=0.7 k:monitorstatus=0.7 k:summary=0.7 k:title=0.7 k:workflow=0.7 k:year=0.7
  letters=0.7 n:check=0.7 n:data=0.7 n:detail=0.7 n:host=0.7 n:msg=0.7 n:output=0.7 n:summary=0.7
  n:threshold=0.7 n:year=0.7 u:incident=0.7 u:issue=0.7 u:payload=0.7 u:resource=0.7
  v:number&threshold=0.7 v:number&value=0.7 v:number&year=0.7 v:state&priority=0.7 w:channel=0.7
  w:configuration=0.7 w:error=0.7 w:job=0.7 e:domain=0.6 e:error=0.6 e:errormessage=0.6
  e:jobname=0.6 e:msg=0.6 e:orgid=0.6 e:projectname=0.6 e:servicename=0.6 k:alertname=0.6
  k:domain=0.6 k:error=0.6 k:errormessage=0.6 k:msg=0.6 n:alert=0.6 n:details=0.6 n:entity=0.6
  n:server=0.6 n:user=0.6 small=0.6 v:sentence&event=0.6 v:sentence&output=0.6 v:state&text=0.6
  v:words&message=0.6 w:event=0.6 w:files=0.6 w:object=0.6 w:result=0.6 w:source=0.6 w:user=0.6
  e:battery=0.5 e:currency=0.5 e:description=0.5 e:login=0.5 e:path=0.5 e:ping=0.5
  e:statuscode=0.5 e:subject=0.5 e:unit=0.5 k:battery=0.5 k:currency=0.5 k:description=0.5
  k:login=0.5 k:message=0.5 k:name=0.5 k:path=0.5 k:ping=0.5 k:serviceid=0.5 k:statuscode=0.5
  k:subject=0.5 k:text=0.5 k:unit=0.5 n:alertname=0.5 n:battery=0.5 n:currency=0.5
  n:description=0.5 n:ref=0.5 n:rule=0.5 n:stage=0.5 n:subject=0.5 num&issue=0.5 u:alert=0.5
  u:attributes=0.5 u:build=0.5 u:object=0.5 u:run=0.5 u:site=0.5 v:number&battery=0.5
  v:number&ping=0.5 v:number&temperature=0.5 v:sentence&value=0.5 v:state&name=0.5
  v:word&action=0.5 v:word&category=0.5 v:word&currency=0.5 v:word&ref=0.5 v:word&sensor=0.5
  w:head=0.5 w:max=0.5 w:metadata=0.5 w:project=0.5 w:server=0.5 w:service=0.5 w:title=0.5
  e:category=0.4 e:issueid=0.4 e:temperature=0.4 k:category=0.4 k:entityid=0.4 k:resourceid=0.4
  k:temperature=0.4 k:value=0.4 n:name=0.4 telling=0.4 u:check=0.4 v:sentence&description=0.4
  v:state&alert=0.4 v:state&message=0.4 v:word&alias=0.4 v:word&tag=0.4 v:word&user=0.4
  v:words&event=0.4 v:words&reason=0.4 w:local=0.4 d:4=-0.4 e:code=-0.4 e:createtime=-0.4
  e:generatorurl=-0.4 e:result=-0.4 e:short=-0.4 e:starttime=-0.4 k:code=-0.4 k:createtime=-0.4
  k:generatorurl=-0.4 k:result=-0.4 k:short=-0.4 k:starttime=-0.4 len:3=-0.4 n:action=-0.4
  n:short=-0.4 n:uptime=-0.4 num&build=-0.4 u:sender=-0.4 v:flag&active=-0.4 v:flag&short=-0.4
  v:state=-0.4 w:generator=-0.4 d:3=-0.5 e:level=-0.5 e:monitortype=-0.5 e:organizationid=-0.5
  e:startedat=-0.5 k:level=-0.5 k:monitortype=-0.5 k:startedat=-0.5 n:impact=-0.5 n:labels=-0.5
  n:ping=-0.5 num&metadata=-0.5 u:content=-0.5 u:priority=-0.5 u:state=-0.5 v:id&uuid=-0.5
  v:sentence&action=-0.5 v:sentence&cause=-0.5 v:state&status=-0.5 v:word&device=-0.5
  v:word&fingerprint=-0.5 v:word&from=-0.5 v:word&type=-0.5 v:words&value=-0.5 w:down=-0.5
  w:ended=-0.5 w:of=-0.5 w:started=-0.5 w:updated=-0.5 e:alarmid=-0.6 e:created=-0.6 e:errors=-0.6
  e:externalurl=-0.6 e:fingerprint=-0.6 e:from=-0.6 e:namespace=-0.6 e:pool=-0.6 e:ts=-0.6
  k:alarmid=-0.6 k:alertid=-0.6 k:created=-0.6 k:errors=-0.6 k:externalurl=-0.6 k:fingerprint=-0.6
  k:from=-0.6 k:id=-0.6 k:namespace=-0.6 k:pool=-0.6 k:ts=-0.6 len:0=-0.6 lineno:1=-0.6
  n:errors=-0.6 n:fingerprint=-0.6 n:group=-0.6 n:location=-0.6 n:path=-0.6 n:pool=-0.6
  n:source=-0.6 num&check=-0.6 u:entity=-0.6 u:labels=-0.6 v:address&host=-0.6 v:link&url=-0.6
  v:measure&encoding=-0.6 v:number&id=-0.6 v:number&ip=-0.6 v:word=-0.6 v:word&encoding=-0.6
  v:word&topic=-0.6 v:words&model=-0.6 v:words&text=-0.6 w:resource=-0.6 w:triggered=-0.6 w:x=-0.6
  base=-0.7 d:2=-0.7 e:active=-0.7 e:channel=-0.7 e:date=-0.7 e:executionid=-0.7 e:htmlurl=-0.7
  e:organizationname=-0.7 e:platform=-0.7 e:responsetime=-0.7 e:size=-0.7 e:team=-0.7
  e:userid=-0.7 e:uuid=-0.7 e:weight=-0.7 k:active=-0.7 k:channel=-0.7 k:date=-0.7 k:htmlurl=-0.7
  k:platform=-0.7 k:responsetime=-0.7 k:size=-0.7 k:team=-0.7 k:uuid=-0.7 k:weight=-0.7
  n:active=-0.7 n:channel=-0.7 n:created=-0.7 n:filename=-0.7 n:id=-0.7 n:platform=-0.7
  n:team=-0.7 n:username=-0.7 n:weight=-0.7 num&content=-0.7 num&incident=-0.7 num&repository=-0.7
  u:actor=-0.7 u:alerts=-0.7 u:request=-0.7 u:trigger=-0.7 v:date&created=-0.7
  v:sentence&status=-0.7 v:state&id=-0.7 v:state&level=-0.7 v:word&channel=-0.7
  v:word&platform=-0.7 v:word&size=-0.7 v:word&team=-0.7 v:words&status=-0.7 w:battery=-0.7
  w:external=-0.7 w:last=-0.7 e:color=-0.8 e:contenttransferencoding=-0.8 e:createdat=-0.8
  e:eventtime=-0.8 e:finished=-0.8 e:href=-0.8 e:interval=-0.8 e:method=-0.8 e:mimetype=-0.8
  e:number=-0.8 e:objectname=-0.8 e:protocol=-0.8 e:resolved=-0.8 e:revision=-0.8 e:source=-0.8
  e:start=-0.8 e:started=-0.8 e:webhookid=-0.8 k:accountid=-0.8 k:color=-0.8
  k:contenttransferencoding=-0.8 k:createdat=-0.8 k:eventtime=-0.8 k:finished=-0.8 k:href=-0.8
  k:incidentid=-0.8 k:interval=-0.8 k:method=-0.8 k:mimetype=-0.8 k:protocol=-0.8 k:resolved=-0.8
  k:revision=-0.8 k:ruleid=-0.8 k:source=-0.8 k:start=-0.8 k:started=-0.8 n:finished=-0.8
  n:href=-0.8 n:operation=-0.8 n:protocol=-0.8 n:resolved=-0.8 person=-0.8 u:blocks=-0.8
  u:severity=-0.8 v:address=-0.8 v:date&id=-0.8 v:state&action=-0.8 v:word&author=-0.8
  v:word&by=-0.8 v:word&path=-0.8 v:word&protocol=-0.8 v:word&revision=-0.8 v:words&location=-0.8
  w:html=-0.8 w:notification=-0.8 w:page=-0.8 w:transfer=-0.8 e:fieldsname=-0.9 e:fieldstitle=-0.9
  e:monitorurl=-0.9 e:notificationtype=-0.9 e:oldstatus=-0.9 e:ruleid=-0.9 e:serial=-0.9
  k:monitorid=-0.9 k:monitorurl=-0.9 k:notificationtype=-0.9 k:oldstatus=-0.9 k:runid=-0.9
  k:serial=-0.9 later=-0.9 n:encoding=-0.9 n:model=-0.9 n:n=-0.9 n:revision=-0.9 n:secret=-0.9
  num&details=-0.9 v:address&hostname=-0.9 v:date&ts=-0.9 v:id&sha=-0.9 v:link&link=-0.9
  v:number=-0.9 v:number&level=-0.9 v:number&type=-0.9 v:state&severity=-0.9 v:state&state=-0.9
  v:word&color=-0.9 v:word&secret=-0.9 v:word&text=-0.9 v:word&to=-0.9 v:words&loaded=-0.9
  w:organization=-0.9 w:running=-0.9 e:accountid=-1 e:datetime=-1 e:mainpid=-1 e:mimeversion=-1
  e:monitorid=-1 e:origin=-1 e:phase=-1 e:receiver=-1 e:timestamp=-1 k:accountname=-1
  k:datetime=-1 k:deviceid=-1 k:mainpid=-1 k:mimeversion=-1 k:origin=-1 k:phase=-1 k:receiver=-1
  k:timestamp=-1 n:at=-1 n:client=-1 n:interval=-1 n:method=-1 n:num=-1 n:receiver=-1 n:to=-1
  u:info=-1 v:date&date=-1 v:flag&down=-1 v:id=-1 v:id&hash=-1 v:mail=-1 v:mail&to=-1
  v:word&client=-1 v:word&location=-1 v:word&method=-1 v:word&receiver=-1 v:word&time=-1
  v:words&category=-1 w:actor=-1 w:api=-1 w:monitoring=-1 w:product=-1 w:topic=-1 w:total=-1
  e:account=-1.1 e:customerid=-1.1 e:deviceid=-1.1 e:loaded=-1.1 e:process=-1.1 e:received=-1.1
  e:siteid=-1.1 e:thresholdvalue=-1.1 k:account=-1.1 k:buildid=-1.1 k:customerid=-1.1
  k:loaded=-1.1 k:process=-1.1 k:received=-1.1 k:thresholdvalue=-1.1 n:color=-1.1 n:commit=-1.1
  n:hash=-1.1 n:level=-1.1 n:link=-1.1 n:loaded=-1.1 n:phase=-1.1 n:pid=-1.1 n:process=-1.1
  n:received=-1.1 n:success=-1.1 n:update=-1.1 num&project=-1.1 u:heartbeat=-1.1
  v:date&timestamp=-1.1 v:date&version=-1.1 v:flag&alarm=-1.1 v:link&value=-1.1 v:mail&from=-1.1
  v:sentence&process=-1.1 v:sentence&received=-1.1 v:word&date=-1.1 v:word&model=-1.1
  v:word&uuid=-1.1 w:group=-1.1 w:mime=-1.1 w:start=-1.1 e:accountname=-1.2 e:runid=-1.2
  lineno:2=-1.2 n:mac=-1.2 n:provider=-1.2 n:started=-1.2 num&data=-1.2 num&run=-1.2
  u:attachments=-1.2 u:organization=-1.2 v:date&end=-1.2 v:number&time=-1.2 v:state&value=-1.2
  v:word&mac=-1.2 v:word&provider=-1.2 v:words&time=-1.2 w:auto=-1.2 k:checkid=-1.3 n:arn=-1.3
  n:domain=-1.3 n:mode=-1.3 n:ts=-1.3 n:uuid=-1.3 v:date=-1.3 v:date&start=-1.3 v:link&target=-1.3
  v:number&at=-1.3 v:state&tags=-1.3 v:word&arn=-1.3 v:word&mode=-1.3 v:word&version=-1.3
  w:actions=-1.3 w:content=-1.3 w:date=-1.3 w:serial=-1.3 e:dataid=-1.4 e:pipelineid=-1.4
  e:to=-1.4 k:to=-1.4 lineno:3=-1.4 lineno:5=-1.4 n:account=-1.4 n:author=-1.4 v:number&port=-1.4
  v:sentence&time=-1.4 v:state&result=-1.4 v:word&token=-1.4 v:word&unit=-1.4
  v:words&username=-1.4 w:first=-1.4 e:buildid=-1.5 e:incidentid=-1.5 n:sha=-1.5 n:timestamp=-1.5
  u:execution=-1.5 v:date&at=-1.5 v:word&msg=-1.5 v:word&trigger=-1.5 w:target=-1.5 w:time=-1.5
  e:checkid=-1.6 n:time=-1.6 num&status=-1.6 u:actions=-1.6 v:measure&id=-1.6 kind:text=-1.7
  num&heartbeat=-1.7 num&monitor=-1.7 v:address&type=-1.7 v:word&region=-1.7 w:main=-1.7
  v:sentence&active=-1.8 n:by=-1.9 n:uid=-1.9 u:annotations=-1.9 u:user=-1.9 e:contenttype=-2
  e:objectid=-2 k:contenttype=-2 n:date=-2 n:size=-2 v:number&priority=-2.1 lineno:4=-2.2
  v:link=-2.2 v:number&duration=-2.2 v:id&id=-2.4 v:flag=-3
`
